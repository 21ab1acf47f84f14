import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { recordEvents } from "#db/queries/events/record-events.ts";
import { findBatch, listItems, saveBatch } from "#db/queries/settlements/batches.ts";
import { lockToConfirm, type ToConfirm } from "#db/queries/settlements/lock-to-confirm.ts";
import { inTransaction } from "#db/transaction.ts";
import type { By } from "#domain/access.ts";
import type { Decimal } from "#domain/decimal.ts";
import { judge, quoteHasLapsed } from "#domain/lifecycle.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Screening } from "#domain/screening.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { SettlementBatch, TalliedBatch } from "#domain/settlement-batch.ts";
import type { Uses } from "#server/context.ts";
import { batchEvent } from "#server/services/events/event-of.ts";
import { confirmLocked } from "#server/services/settlements/confirm-settlement.ts";
import { isSameTotal, lockExistingBatch, talliedWith, totalsOf, writeTotals, wrongState } from "./lock-items.ts";
import { refuseMaker } from "./refuse-maker.ts";

export type ConfirmBatch = {
  partnerId: string;
  by: By;
  id: string;
  /** Already judged by `checkCallbackUrl`; null: the one given at creation serves. A person needs none: the console shows the end. */
  callbackUrl: string | null;
  /** What the partner believes that each destination currency comes to; null: it does not say. */
  expectedTotal: ReadonlyMap<string, Decimal> | null;
  /** The result of `screenBatch` before this began, by the items' ids. */
  screenings?: ReadonlyMap<string, Screening>;
  /** The result of `judgeBatch` before this began, by the items' ids. */
  recipientFaults?: ReadonlyMap<string, string>;
};

/**
 * Confirms all items of a batch and enqueues their transfers, in one transaction (contract, part 11). A repeat changes nothing.
 *
 * @throws Refusal, in this order: `batch_not_found`, `validation_failed` (no URL given, here or at creation), `forbidden`, `same_person`
 * and `same_approver` (a person who may not, see {@link refuseMaker}), `invalid_state`, `approval_pending`, `quote_expired` where one item's quote has run out,
 * `quote_changed`, `invalid_wallet_address` where the chain does not let a recipient have it. Then nothing is confirmed.
 */
export async function confirmBatch(ctx: Uses<"db" | "mode">, command: ConfirmBatch): Promise<TalliedBatch> {
  return await inTransaction(ctx.db, async (tx) => {
    const batch = await lockExistingBatch(tx, command);
    const callbackUrl = command.callbackUrl ?? batch.callbackUrl;
    if (callbackUrl === null && command.by.actor.type !== "user") throw urlMissing();
    await refuseMaker(tx, ctx.mode, batch.id, command.by);
    if (batch.confirmedAt !== null) return await asItStands(tx, batch, callbackUrl);
    if (batch.status !== "quoted") throw wrongState(batch);
    const locked = await lockAll(tx, batch, command.by);
    const [first] = locked;
    if (first === undefined) throw new Error(`the batch ${batch.id} has no items`);
    const { now } = first;
    refuseUnconfirmable(locked, now);
    refuseOtherTotal(locked, command.expectedTotal);
    refuseUnpayable(locked, command.recipientFaults);
    const items = locked.map((one) => {
      const { id, externalTxId, creationCallbackUrl } = one.settlement;
      if (externalTxId === null) throw new Error(`the item ${id} has no reference`);
      return { locked: one, externalTxId, callbackUrl: creationCallbackUrl, screening: command.screenings?.get(id) ?? null };
    });
    const { confirmed } = await confirmLocked(tx, items, { by: command.by, now });
    const saved: SettlementBatch = { ...batch, status: "processing", callbackUrl, confirmedAt: now };
    await saveBatch(tx, saved);
    const { id: objectId, partnerId } = batch;
    const change = { from: batch.status, status: saved.status, items: confirmed.length };
    await insertAuditEntry(tx, { by: command.by, partnerId, action: "batch.confirmed", objectId, change, now });
    const tallied = talliedWith(saved, confirmed);
    await recordEvents(tx, [batchEvent("batch.confirmed", tallied, now)]);
    return tallied;
  });
}

async function lockAll(tx: Database, batch: SettlementBatch, { actor }: By): Promise<ToConfirm[]> {
  const { partnerId } = batch;
  const apiKeyId = actor.type === "api_key" ? actor.apiKeyId : null;
  return await lockToConfirm(
    tx,
    (await listItems(tx, batch)).map(({ id }) => ({ id, partnerId, apiKeyId })),
  );
}

async function asItStands(tx: Database, batch: SettlementBatch, callbackUrl: string | null): Promise<TalliedBatch> {
  if (batch.callbackUrl !== callbackUrl) {
    const detail = "The batch was already confirmed with another callback_url.";
    throw new Refusal("invalid_state", { detail, members: { batch_status: batch.status } });
  }
  const found = await findBatch(tx, batch.id, batch.partnerId);
  if (found === null) throw new Refusal("batch_not_found");
  return found;
}

/** All items have one approval state. The first quote that runs out decides for all. */
function refuseUnconfirmable(locked: readonly ToConfirm[], now: Date): void {
  const byExpiry = (left: Settlement, right: Settlement) => left.quote.expiresAt.getTime() - right.quote.expiresAt.getTime();
  for (const settlement of locked.map((one) => one.settlement).toSorted(byExpiry)) {
    if (settlement.approvalState === "pending") throw new Refusal("approval_pending", { detail: "The batch awaits an admin's decision." });
    if (quoteHasLapsed(settlement, now)) throw lapsed(settlement, now);
    judge(settlement, "confirm", now);
  }
}

function lapsed({ quote }: Settlement, now: Date): Refusal {
  return new Refusal("quote_expired", {
    detail: "The quote of an item has expired, and nothing was confirmed. Requote the batch.",
    members: { expired_at: quote.expiresAt.toISOString(), server_time: now.toISOString() },
  });
}

function refuseOtherTotal(locked: readonly ToConfirm[], expected: ReadonlyMap<string, Decimal> | null): void {
  if (expected === null) return;
  const offered = totalsOf(locked.map(({ settlement }) => settlement));
  if (isSameTotal(expected, offered)) return;
  throw new Refusal("quote_changed", {
    detail: "The items together come to another amount.",
    members: { current_total: writeTotals(offered) },
  });
}

function refuseUnpayable(locked: readonly ToConfirm[], faults: ReadonlyMap<string, string> = new Map()): void {
  const errors = locked.flatMap(({ settlement: { id, externalTxId } }) => {
    const fault = faults.get(id);
    return fault === undefined ? [] : [{ code: "invalid_wallet_address" as const, message: `${externalTxId}: ${fault}` }];
  });
  if (errors.length === 0) return;
  const detail = `Items whose recipient cannot be paid just now: ${errors.length}. Nothing was confirmed.`;
  throw new Refusal("invalid_wallet_address", { detail, errors });
}

function urlMissing(): Refusal {
  return new Refusal("validation_failed", {
    errors: [{ pointer: "/callback_url", code: "required", message: "A callback_url is required, here or at creation." }],
  });
}
