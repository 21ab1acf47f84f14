import { type LockedSettlement, lockForChange } from "#db/queries/settlements/settlements.ts";
import type { By } from "#domain/access.ts";
import { isId } from "#domain/ids.ts";
import { judge } from "#domain/lifecycle.ts";
import { Refusal } from "#domain/refusal.ts";
import type { SettlementAsShown } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { changeSettlements, heldOf } from "./change-settlement.ts";
import { changedTogether } from "./change-together.ts";

export type CancelSettlement = { partnerId: string; by: By; id: string };

/**
 * Calls a quoted settlement off, whatever its approval state (specification, part 3). Cancelling what is cancelled or rejected
 * changes nothing and answers it as it stands.
 *
 * @throws Refusal `settlement_not_found`, `invalid_state` once it was confirmed.
 */
export async function cancelSettlement(ctx: Uses<"db">, command: CancelSettlement): Promise<SettlementAsShown> {
  if (!isId("settlement", command.id)) throw new Refusal("settlement_not_found");
  return await cancelTogether(ctx, command);
}

type Accepted = { held: LockedSettlement; by: By; isOver: boolean };

const cancelTogether = changedTogether<CancelSettlement, Accepted, SettlementAsShown>({
  touches: ({ id }) => [id],
  async hold(tx, commands) {
    const locked = await lockForChange(tx, commands);
    return ({ id, by }) => {
      const held = heldOf(locked, id);
      const isOver = held.settlement.status === "cancelled";
      if (!isOver) judge(held.settlement, "cancel", held.now);
      return { held, by, isOver };
    };
  },
  async write(tx, accepted) {
    const open = accepted.filter(({ isOver }) => !isOver);
    const changes = open.map(({ held, by }) => ({ settlement: held.settlement, action: { type: "cancel" } as const, by }));
    const changed = await changeSettlements(tx, changes, accepted[0].held.now);
    const after = new Map(changed.map((settlement) => [settlement.id, settlement]));
    return accepted.map(({ held: { settlement, hasUndelivered } }) => ({
      settlement: after.get(settlement.id) ?? settlement,
      waiting: null,
      hasUndelivered,
    }));
  },
});
