import type { Database } from "#db/client.ts";
import { findMakers, type Maker } from "#db/queries/audit/find-makers.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import type { By } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Context } from "#server/context.ts";
import { refuseNewOwner } from "#server/services/access/refuse-new-owner.ts";

/** Why somebody may not confirm a batch in the console. */
export type MakerObstacle = "made_by_program" | "made_by_you";

/** Who made each of the batches, by the audit log. */
export async function findBatchMakers(db: Database, ids: readonly string[]): Promise<Map<string, Maker>> {
  return await findMakers(db, "batch.created", ids);
}

/** A person confirms what a person made: in live mode, what another person made. Null: nothing is in the way. */
export function makerObstacle(mode: Context["mode"], maker: Maker | undefined, userId: string): MakerObstacle | null {
  if (maker?.type !== "user") return "made_by_program";
  return mode === "live" && maker.id === userId ? "made_by_you" : null;
}

/**
 * Keeps the one who made a batch in the console from confirming it alone in live mode, also as an owner whom they have just made. Programs, which
 * sign each call, are not concerned.
 *
 * @throws Refusal `same_person`, `same_approver` for an owner of less than a day; `forbidden` for a person and a batch that a program made.
 */
export async function refuseMaker(tx: Database, mode: Context["mode"], id: string, { actor }: By): Promise<void> {
  if (actor.type !== "user") return;
  const obstacle = makerObstacle(mode, (await findBatchMakers(tx, [id])).get(id), actor.userId);
  if (obstacle === "made_by_program") throw new Refusal("forbidden", { detail: "A program made this batch. It must confirm it, too." });
  if (obstacle === "made_by_you") throw new Refusal("same_person", { detail: "You made this batch. Another person must confirm it." });
  await refuseNewOwner(tx, { mode, userId: actor.userId, now: await readBusinessNow(tx) });
}
