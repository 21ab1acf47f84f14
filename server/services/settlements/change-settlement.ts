import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { lockSettlement, saveSettlement } from "#db/queries/settlements/settlements.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By } from "#domain/access.ts";
import { type Action, advance, LIFECYCLE, type LifecycleRow } from "#domain/lifecycle.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import { announceSettlement } from "./announce-settlement.ts";

/** A settlement whose row is held until the transaction ends, and the business instant, read after the lock was gained. */
export type LockedSettlement = { settlement: Settlement; now: Date };

/**
 * Locks a settlement; with a partner named, only that partner's.
 *
 * @throws Refusal `settlement_not_found`, for a foreign id just as for one that never was.
 */
export async function holdSettlement(tx: Database, id: string, partnerId?: string): Promise<LockedSettlement> {
  const settlement = await lockSettlement(tx, id, partnerId);
  if (settlement === null) throw new Refusal("settlement_not_found");
  return { settlement, now: await readBusinessNow(tx) };
}

const ACTION_NAMES = {
  approve: "settlement.approved",
  reject: "settlement.rejected",
  confirm: "settlement.confirmed",
  cancel: "settlement.cancelled",
  execute: "settlement.executed",
  fail: "settlement.failed",
} as const;

/**
 * The one way a settlement changes: the lifecycle decides, then the row, the audit entry and the callback that the row of the
 * table calls for are written in the caller's transaction.
 */
export async function changeSettlement(
  tx: Database,
  held: LockedSettlement,
  action: Action,
  by: By,
  note: { reason?: string; change?: Record<string, unknown> } = {},
): Promise<Settlement> {
  const { settlement, now } = held;
  const changed = advance(settlement, action, now);
  await saveSettlement(tx, changed);
  await insertAuditEntry(tx, {
    by,
    partnerId: settlement.partnerId,
    action: ACTION_NAMES[action.type],
    objectId: settlement.id,
    reason: note.reason ?? null,
    change: { from: settlement.status, status: changed.status, approval_state: changed.approvalState, ...note.change },
    now,
  });
  const row: LifecycleRow = LIFECYCLE[action.type];
  if (row.callback !== null) await announceSettlement(tx, changed, row.callback, now);
  return changed;
}
