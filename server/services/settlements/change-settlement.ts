import type { Database } from "#db/client.ts";
import { type LockedSettlement, lockForChange, saveSettlements, type ToLock } from "#db/queries/settlements/settlements.ts";
import type { By } from "#domain/access.ts";
import { type Action, advance, LIFECYCLE, type LifecycleRow } from "#domain/lifecycle.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import { announceSettlements } from "./announce-settlement.ts";
import { completeBatches } from "./complete-batches.ts";

/**
 * Locks a settlement; with a partner, only that partner's.
 *
 * @throws Refusal `settlement_not_found`, for a foreign id just as for one that never existed.
 */
export async function lockExistingSettlement(tx: Database, id: string, only: Pick<ToLock, "partnerId"> = {}): Promise<LockedSettlement> {
  return lockedOf(await lockForChange(tx, [{ id, ...only }]), id);
}

/** @throws Refusal as {@link lockExistingSettlement}. */
export function lockedOf(locked: ReadonlyMap<string, LockedSettlement>, id: string): LockedSettlement {
  const held = locked.get(id);
  if (held === undefined) throw new Refusal("settlement_not_found");
  return held;
}

/**
 * Items of a batch are confirmed, cancelled and decided with it alone (contract, part 11).
 *
 * @throws Refusal `batch_member`
 */
export function refuseMember({ batchId }: Settlement): void {
  if (batchId === null) return;
  throw new Refusal("batch_member", { detail: `The settlement is an item of the batch ${batchId}.`, members: { batch_id: batchId } });
}

const ACTION_NAMES = {
  approve: "settlement.approved",
  reject: "settlement.rejected",
  confirm: "settlement.confirmed",
  cancel: "settlement.cancelled",
  execute: "settlement.executed",
  fail: "settlement.failed",
} as const;

export type SettlementChange = {
  settlement: Settlement;
  action: Action;
  by: By;
  note?: { reason?: string; change?: Record<string, unknown> };
};

/**
 * The one way settlements change: the lifecycle decides, then rows, audit entries and the callbacks that the rows of the table call
 * for are written in the caller's transaction. The settlements are locked, and `now` is read after that.
 */
export async function changeSettlements(tx: Database, changes: readonly SettlementChange[], now: Date): Promise<Settlement[]> {
  const changed = changes.map((change) => ({ ...change, after: advance(change.settlement, change.action, now) }));
  const saved = changed.map(({ settlement: before, action, by, note, after: settlement }) => ({
    settlement,
    entry: {
      by,
      partnerId: settlement.partnerId,
      action: ACTION_NAMES[action.type],
      objectId: settlement.id,
      reason: note?.reason ?? null,
      change: { from: before.status, status: settlement.status, approval_state: settlement.approvalState, ...note?.change },
      now,
    },
  }));
  await saveSettlements(tx, saved);
  const announced = changed.map(({ action, after: settlement }) => ({ settlement, event: rowOf(action).callback }));
  await announceSettlements(tx, announced, now);
  await completeBatches(
    tx,
    changed.flatMap(({ action, after }) => (ENDS.includes(action.type) && after.batchId !== null ? [after.batchId] : [])),
    now,
  );
  return changed.map(({ after }) => after);
}

const ENDS: readonly Action["type"][] = ["execute", "fail"];

export async function changeSettlement(
  tx: Database,
  { settlement, now }: Pick<LockedSettlement, "settlement" | "now">,
  action: Action,
  by: By,
  note: SettlementChange["note"] = {},
): Promise<Settlement> {
  const [changed] = await changeSettlements(tx, [{ settlement, action, by, note }], now);
  return changed ?? settlement;
}

function rowOf(action: Action): LifecycleRow {
  return LIFECYCLE[action.type];
}
