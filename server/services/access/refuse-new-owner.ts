import type { Database } from "#db/client.ts";
import { findRoleSince } from "#db/queries/people/ownership.ts";
import { Refusal } from "#domain/refusal.ts";
import { OLD_ENOUGH_MS } from "#domain/two-people.ts";
import type { Context } from "#server/context.ts";

/**
 * Keeps an owner of less than a day from being the second person, in live mode: an owner invites another one alone, so who has stolen a session
 * could be both people at once. The other owners hear of a new one meanwhile. `now`: business time.
 *
 * @throws Refusal `same_approver`
 */
export async function refuseNewOwner(
  tx: Database,
  { mode, userId, now }: { mode: Context["mode"]; userId: string; now: Date },
): Promise<void> {
  if (mode !== "live") return;
  const since = await findRoleSince(tx, userId);
  if (since === null || now.getTime() - since.getTime() < OLD_ENOUGH_MS)
    throw new Refusal("same_approver", { detail: "You have not been an owner for a day yet. Another person must decide." });
}
