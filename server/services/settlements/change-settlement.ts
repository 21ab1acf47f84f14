import type { Database } from "#db/client.ts";
import { listCallbacksOf } from "#db/queries/callbacks/callbacks.ts";
import type { ToLock } from "#db/queries/settlements/lock-by-partner.ts";
import { type LockedSettlement, lockForChange } from "#db/queries/settlements/settlements.ts";
import { saveSettlements } from "#db/queries/settlements/write-settlements.ts";
import type { By } from "#domain/access.ts";
import type { Callback } from "#domain/callback.ts";
import { type Action, advance, LIFECYCLE } from "#domain/lifecycle.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Waiting } from "#domain/transfer.ts";
import { settlementEvent } from "#server/services/events/event-of.ts";
import { announceSettlements } from "./announce-settlement.ts";
import { completeBatches } from "./complete-batches.ts";

const ACTION_NAMES = {
  approve: "settlement.approved",
  reject: "settlement.rejected",
  confirm: "settlement.confirmed",
  cancel: "settlement.cancelled",
  execute: "settlement.executed",
  fail: "settlement.failed",
} as const;

/** The actions that end a payment, and may end its batch. */
const ENDS_PAYMENT: readonly Action["type"][] = ["execute", "fail"];

export type SettlementChange = {
  settlement: Settlement;
  action: Action;
  by: By;
  note?: { reason?: string; change?: Record<string, unknown> };
  /** Why its payment will not move, where that is known already. */
  waiting?: Waiting | null;
  /** On Citus: the payment that it owes, where the change is all that the transaction writes. It comes with the entry and the event. */
  transferId?: string | undefined;
};

/**
 * The only function that changes settlements. `advance` refuses what the lifecycle does not allow. Then rows, audit entries, events and the
 * callbacks that the lifecycle names are written in the caller's transaction. The caller has locked the settlements, and read `now` after that.
 */
export async function changeSettlements(tx: Database, changes: readonly SettlementChange[], now: Date): Promise<Settlement[]> {
  const changed = changes.map((change) => ({ ...change, after: advance(change.settlement, change.action, now) }));
  const undelivered = await listUndelivered(
    tx,
    changed.map(({ after }) => after),
  );
  const saved = changed.map(({ settlement: before, after, action, by, note, waiting = null, transferId }) => ({
    settlement: after,
    transferId,
    event: settlementEvent(ACTION_NAMES[action.type], after, now, { waiting, undelivered: undelivered.get(after.id) ?? [] }),
    entry: {
      by,
      partnerId: after.partnerId,
      action: ACTION_NAMES[action.type],
      objectId: after.id,
      reason: note?.reason ?? null,
      change: { from: before.status, status: after.status, approval_state: after.approvalState, ...note?.change },
      now,
    },
  }));
  // Writes the rows, their audit entries and their events.
  await saveSettlements(tx, saved);
  // Enqueues the callbacks; here `event` is the callback's name. The lifecycle names none for a confirmation, a cancellation or a rejection.
  const callbacks = changed.map(({ action, after }) => ({ settlement: after, event: LIFECYCLE[action.type].callback }));
  await announceSettlements(tx, callbacks, now);
  const batchesThatMayHaveEnded = changed.flatMap(({ action, after }) =>
    ENDS_PAYMENT.includes(action.type) && after.batchId !== null ? [{ id: after.batchId, partnerId: after.partnerId }] : [],
  );
  await completeBatches(tx, batchesThatMayHaveEnded, now);
  return changed.map(({ after }) => after);
}

/** The event shows undelivered callbacks. Until its end a settlement can have only one: that of its approval. */
async function listUndelivered(tx: Database, settlements: readonly Settlement[]): Promise<Map<string, Callback[]>> {
  const withApprovalCallback = settlements.filter(
    ({ approvalState, creationCallbackUrl }) => approvalState === "approved" && creationCallbackUrl !== null,
  );
  const callbacks = await listCallbacksOf(
    tx,
    withApprovalCallback.map(({ id }) => id),
    { state: "undelivered" },
  );
  return Map.groupBy(callbacks, ({ subjectId }) => subjectId);
}

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
  const found = locked.get(id);
  if (found === undefined) throw new Refusal("settlement_not_found");
  return found;
}
