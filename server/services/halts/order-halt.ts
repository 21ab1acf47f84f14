import { findPartner } from "#db/queries/partners/partners.ts";
import { lockWallet } from "#db/queries/transfers/wallets.ts";
import type { By } from "#domain/access.ts";
import type { Lane, LaneHalt } from "#domain/lane.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";
import { haltLane } from "./halt-lane.ts";

/**
 * Stops a lane on a person's word: nothing new is signed or paid out there, not even what was being signed at that moment. What it has
 * signed before is still looked after. One person suffices to stop; going on again takes two.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `invalid_state` when it stands already
 */
export async function orderHalt(ctx: Uses<"db" | "clock" | "chains">, command: { by: By; lane: Lane; reason: string }): Promise<LaneHalt> {
  const { by, lane, reason } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  if (!(await exists(ctx, lane))) throw new Refusal("not_found", { detail: `There is no such ${lane.kind}.` });
  return await ctx.db.transaction(async (tx) => {
    const halt = await haltLane(tx, { lane, cause: "operator", detail: reason, by });
    if (halt === null) throw new Refusal("invalid_state", { detail: "It stands already." });
    return halt;
  });
}

async function exists({ db, chains }: Uses<"db" | "chains">, { kind, key }: Lane): Promise<boolean> {
  switch (kind) {
    case "wallet":
      return isUuid(key) && (await lockWallet(db, key)) !== null;
    case "partner":
      return isUuid(key) && (await findPartner(db, key)) !== null;
    case "chain":
      return chains.find(key) !== null;
    case "provider":
      return true; // whoever is stopped beforehand may not be configured yet
  }
}
