import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { recordEvents } from "#db/queries/events/record-events.ts";
import { listItems, saveBatch } from "#db/queries/settlements/batches.ts";
import { insertQuotes } from "#db/queries/settlements/write-settlements.ts";
import { type By, refuseUnlessOperator } from "#domain/access.ts";
import type { Decimal } from "#domain/decimal.ts";
import { pairKey } from "#domain/halt-scope.ts";
import { allows } from "#domain/lifecycle.ts";
import { rateHasMoved } from "#domain/quote.ts";
import { Refusal } from "#domain/refusal.ts";
import { countHints, type HintCounts } from "#domain/risk-hint.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import type { Quote, Settlement } from "#domain/settlement.ts";
import { areTotalsPublishable, type SettlementBatch, shareOf, type TalliedBatch, tallyOf } from "#domain/settlement-batch.ts";
import type { Uses } from "#server/context.ts";
import { batchEvent } from "#server/services/events/event-of.ts";
import { type Pricing, readPricing } from "#server/services/rates/read-pricing.ts";
import { acknowledgeHints } from "#server/services/settlements/acknowledge-hints.ts";
import { changeSettlements, type SettlementChange } from "#server/services/settlements/change-settlement.ts";
import { giveApproval } from "#server/services/settlements/give-approval.ts";
import { priceSettlement } from "#server/services/settlements/price-settlement.ts";
import { listRiskHints } from "#server/services/settlements/read-risk-hints.ts";
import { signBatchApproval } from "#server/services/settlements/sign-approval.ts";
import { sumTooLarge } from "./create-batch.ts";
import { lockExistingBatch, lockItems, talliedWith, totalsOf, writeTotals } from "./lock-items.ts";
import { readBatch } from "./read-batch.ts";

type Powers = Uses<"db" | "clock" | "chains" | "policy" | "mode">;

export type ApproveBatch = {
  by: By;
  id: string;
  note: string | null;
  /** What the admin saw that each destination currency comes to: a decision made on another price is refused. */
  expectedTotal: ReadonlyMap<string, Decimal> | null;
  /** The hints that a person acknowledged in the console, each with how many items it holds for. Absent: a program decides. */
  acknowledgedHints?: HintCounts;
};

/**
 * Approves all items of a batch at once (contract, part 11): one transaction prices all of them again. Where two people must approve, the
 * first approval is only recorded.
 *
 * @throws Refusal `forbidden`, `batch_not_found`, `invalid_state` when it is not (or no longer) pending, `step_up_required`,
 * `same_approver`, `validation_failed` if a person has not acknowledged a hint that holds, `passkey_required`, `rate_unavailable`, `rate_moved` (with `current_total`) where the sum has moved beyond the tolerance.
 */
export async function approveBatch(ctx: Powers, command: ApproveBatch): Promise<TalliedBatch> {
  refuseUnlessOperator(command.by.actor, "decide_settlement");
  refuseUnlessProven(command.by, ctx.clock.now());
  // Hints describe the moment of creation, so they are read before the items are locked.
  const found = command.acknowledgedHints && (await countHintsOf(ctx, command.id));
  return await ctx.db.transaction(async (tx) => {
    const { batch, items, now } = await lockPending(tx, command.id, "approve");
    const { by, acknowledgedHints: acknowledged } = command;
    if (found && acknowledged) await acknowledgeHints({ db: tx }, { by, objectId: batch.id, found, acknowledged, now });
    const { given, needed } = await giveApproval({ ...ctx, db: tx }, items, { ...command, objectId: batch.id, now });
    const repriced = await repriceAll({ ...ctx, db: tx }, items, now);
    refuseDrift(repriced, command.expectedTotal, ctx.policy.driftToleranceBps);
    const totals = command.expectedTotal ?? totalsOf(repriced);
    await signBatchApproval({ ...ctx, db: tx }, items, { by: command.by, id: batch.id, totals, note: command.note });
    if (given < needed) return talliedWith(batch, items);
    const changes = repriced.map(({ quote }, index): SettlementChange | null => {
      const settlement = items[index];
      return settlement === undefined ? null : { settlement, action: { type: "approve", quote }, by: command.by };
    });
    const approved = await decideAll(tx, batch, changes, { by: command.by, now, action: "batch.approved", reason: command.note });
    await insertQuotes(tx, approved);
    const tallied = talliedWith(batch, approved);
    await recordEvents(tx, [batchEvent("batch.approved", tallied, now)]);
    return tallied;
  });
}

async function countHintsOf(ctx: Uses<"db">, id: string): Promise<HintCounts> {
  const items = await listItems(ctx.db, await readBatch(ctx, { id }));
  return countHints((await listRiskHints(ctx, items)).values());
}

export type RejectBatch = { by: By; id: string; reason: string };

/**
 * Rejects all items of a batch at once: it is cancelled with the reason, and no callback is sent.
 *
 * @throws Refusal `forbidden`, `batch_not_found`, `invalid_state` when it is not (or no longer) pending, `step_up_required`.
 */
export async function rejectBatch(ctx: Uses<"db" | "clock">, { by, id, reason }: RejectBatch): Promise<TalliedBatch> {
  refuseUnlessOperator(by.actor, "decide_settlement");
  refuseUnlessProven(by, ctx.clock.now());
  return await ctx.db.transaction(async (tx) => {
    const { batch, items, now } = await lockPending(tx, id, "reject");
    const changes = items.map((settlement): SettlementChange => ({ settlement, action: { type: "reject", reason }, by, note: { reason } }));
    const rejected = await decideAll(tx, batch, changes, { by, now, action: "batch.rejected", reason });
    const saved: SettlementBatch = { ...batch, status: "cancelled", cancelledAt: now };
    await saveBatch(tx, saved);
    const tallied = talliedWith(saved, rejected);
    await recordEvents(tx, [batchEvent("batch.rejected", tallied, now)]);
    return tallied;
  });
}

async function lockPending(tx: Database, id: string, decision: "approve" | "reject") {
  const batch = await lockExistingBatch(tx, { id });
  const { items, now } = await lockItems(tx, batch);
  if (!items.every((item) => allows(item, decision))) throw alreadyDecided(batch, items[0]?.approvalState ?? null);
  return { batch, items, now };
}

type Decision = { by: By; now: Date; action: string; reason: string | null };

async function decideAll(
  tx: Database,
  batch: SettlementBatch,
  changes: readonly (SettlementChange | null)[],
  { by, now, action, reason }: Decision,
): Promise<Settlement[]> {
  const decided = await changeSettlements(
    tx,
    changes.filter((change) => change !== null),
    now,
  );
  const { id: objectId, partnerId } = batch;
  await insertAuditEntry(tx, { by, partnerId, action, objectId, reason, change: { items: decided.length }, now });
  return decided;
}

/** Each item at the present price; what items of a pair share is read once. All have one instant. */
export async function repriceAll(ctx: { db: Database } & Uses<"chains">, items: readonly Settlement[], now: Date): Promise<Settlement[]> {
  const pricings = new Map<string, Pricing>();
  const repriced: Settlement[] = [];
  for (const item of items) {
    const key = pairKey(item);
    const pricing = pricings.get(key) ?? (await readPricing(ctx, item));
    pricings.set(key, pricing);
    const valid = { version: item.quote.version + 1, lifetimeSeconds: pricing.terms.approvedLifetimeSeconds };
    const quote: Quote = priceSettlement({ ...pricing, now }, item.sourceAmountMinor, valid);
    repriced.push({ ...item, quote });
  }
  if (!areTotalsPublishable(tallyOf(repriced.map(shareOf)).totals)) throw sumTooLarge();
  return repriced;
}

function refuseDrift(repriced: readonly Settlement[], expected: ReadonlyMap<string, Decimal> | null, toleranceBps: number): void {
  if (expected === null) return;
  const current = totalsOf(repriced);
  const hasMoved = [...current].some(([currency, amount]) => {
    const seen = expected.get(currency);
    return seen === undefined || rateHasMoved(seen, amount, toleranceBps);
  });
  if (!hasMoved && expected.size === current.size) return;
  throw new Refusal("rate_moved", {
    detail: "The sum has moved since it was shown. Decide again on the current one.",
    members: { current_total: writeTotals(current) },
  });
}

function alreadyDecided({ status }: SettlementBatch, approvalState: Settlement["approvalState"]): Refusal {
  const state = approvalState === null ? "needs no approval" : `was already ${approvalState}`;
  return new Refusal("invalid_state", {
    detail: status === "quoted" ? `The batch ${state}.` : `The batch is ${status}.`,
    members: { batch_status: status, approval_state: approvalState },
  });
}
