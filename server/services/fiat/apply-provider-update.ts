import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { recordEvents } from "#db/queries/events/record-events.ts";
import { insertProviderEvent } from "#db/queries/fiat/provider-statement.ts";
import { findTopup, lockTopup, markPaidLate } from "#db/queries/fiat/topups.ts";
import { lockWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { SYSTEM } from "#domain/access.ts";
import { type ProviderWord, providerScope, type WordEffect, type WordSource } from "#domain/fiat.ts";
import { type IdKind, isId, newId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import { applyTopupUpdate, isTooLate, type Topup } from "#domain/topup.ts";
import { applyWithdrawalUpdate } from "#domain/withdrawal.ts";
import type { Uses } from "#server/context.ts";
import { topupEvent } from "#server/services/events/event-of.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { changeTopup, changeWithdrawal } from "./change-orders.ts";

export type OrderKind = Extract<IdKind, "withdrawal" | "topup">;

/** A final report of the provider about one of our orders, and how it arrived. */
export type Heard = {
  /** The provider that called; null: the order's own provider was asked, or an operator decided. */
  provider: string | null;
  kind: OrderKind;
  orderId: string;
  source: WordSource;
  word: ProviderWord;
  /** The text of its call; null for an answer to our question. */
  body: string | null;
};

/** The effect of a report, and its order's stored `traceparent` and provider. */
type Taken = { effect: "unknown_order"; trace: null } | { effect: WordEffect; trace: string | null; provider: string };
const UNKNOWN: Taken = { effect: "unknown_order", trace: null };

/**
 * Takes a provider's report from any source: records it, and moves the order if the lifecycle allows that, in the caller's transaction.
 * Reports may come in any order, repeatedly and concurrently: exactly one is applied, on the locked row. A contradiction halts the order's
 * provider. A call of another provider matches none of its orders and has no effect.
 */
export async function applyProviderUpdate(tx: Database, { mode }: Uses<"mode">, heard: Heard): Promise<Taken> {
  const taken = await recordUpdate(tx, heard);
  const receivedAt = await readBusinessNow(tx);
  const { orderId, source, word, body } = heard;
  await insertProviderEvent(tx, {
    id: newId("providerEvent", receivedAt),
    orderId,
    source,
    ...word,
    effect: taken.effect,
    body,
    receivedAt,
  });
  // The sandbox's provider contradicts itself on request: one partner's test must not halt all others.
  if (taken.effect === "contradicted" && mode === "live") await haltProvider(tx, taken.provider, orderId, word);
  return taken;
}

/** Money moved that should not have, or the provider's reports are unreliable: halt it until people have looked. */
async function haltProvider(tx: Database, provider: string, orderId: string, { status, reference }: ProviderWord): Promise<void> {
  const detail = `The fiat provider ${provider} says that ${orderId} ${status === "failed" ? "failed" : "succeeded"}, against what it said before.`;
  await haltScope(tx, {
    scope: providerScope(provider),
    cause: "provider_contradiction",
    detail,
    evidence: { order_id: orderId, status, reference },
  });
}

async function recordUpdate(tx: Database, heard: Heard): Promise<Taken> {
  if (!isId(heard.kind, heard.orderId)) return UNKNOWN;
  return heard.kind === "withdrawal" ? await announceWithdrawal(tx, heard) : await announceTopup(tx, heard);
}

/** Whether the word is of the provider that the order is with. */
function isItsOwn(order: { provider: string }, { provider }: Heard): boolean {
  return provider === null || provider === order.provider;
}

async function announceWithdrawal(tx: Database, heard: Heard): Promise<Taken> {
  const withdrawal = await lockWithdrawal(tx, heard.orderId);
  if (withdrawal === null || !isItsOwn(withdrawal, heard)) return UNKNOWN;
  const { effect, action } = applyWithdrawalUpdate(withdrawal, heard.word);
  if (action !== null) await changeWithdrawal(tx, withdrawal, action, await readBusinessNow(tx));
  return { effect, trace: withdrawal.trace, provider: withdrawal.provider };
}

async function announceTopup(tx: Database, heard: Heard): Promise<Taken> {
  const { orderId, source, word } = heard;
  const found = await lockTopup(tx, orderId);
  if (found === null || !isItsOwn(found, heard)) return UNKNOWN;
  const now = await readBusinessNow(tx);
  // An operator who says that it was collected has looked when that was.
  const isOver = found.step === "collecting" && word.status === "succeeded" && source !== "operator" && isTooLate(found, now);
  const topup = isOver ? await changeTopup(tx, found, { type: "expire" }, now) : found;
  const { effect, action } = applyTopupUpdate(topup, word);
  if (action !== null) await changeTopup(tx, topup, action, now);
  if (effect === "late") await handOverLate(tx, topup, word);
  return { effect, trace: topup.trace, provider: topup.provider };
}

/** Neither credited nor dropped: its price is of long ago, and the money is somebody's. An operator handles it. */
async function handOverLate(tx: Database, { id, partnerId }: Topup, { reference }: ProviderWord): Promise<void> {
  const reason = `It was paid after it had expired${reference === null ? "" : `, under ${reference}`}: the money is with the provider, and nothing is sent for it.`;
  await markPaidLate(tx, id, { reference, reason });
  const late = await findTopup(tx, id);
  if (late === null) return;
  const now = late.updatedAt;
  await recordEvents(tx, [topupEvent(late, now)]);
  await insertAuditEntry(tx, { by: SYSTEM, partnerId, action: "topup.paid_late", objectId: id, reason, change: { reference }, now });
}

/** A call of a fiat provider's, its signature checked. `kind`: what the address is for that it called. */
export type TakeProviderEvent = Omit<Heard, "source"> & { provider: string };

/**
 * Records a fiat provider's callback and applies it once (contract, parts 6 and 9). A repetition and a contradiction are
 * accepted like any other call, so the provider does not retry; operators see them.
 *
 * @returns the stored `traceparent` of the order
 * @throws Refusal `not_found` for an order that does not exist, is of the other kind, or belongs to another provider; the call is still recorded.
 */
export async function takeProviderEvent(ctx: Uses<"db" | "log" | "mode">, call: TakeProviderEvent): Promise<{ trace: string | null }> {
  const { effect, trace } = await ctx.db.transaction((tx) => applyProviderUpdate(tx, ctx, { ...call, source: "callback" }));
  const fields = { provider: call.provider, order_id: call.orderId, status: call.word.status, reference: call.word.reference, effect };
  if (effect === "applied" || effect === "repeated") ctx.log.info(fields, "the fiat provider called");
  else if (effect === "late") ctx.log.error(fields, "a top-up was paid after it had expired: an operator must see to the money");
  else ctx.log.error(fields, "the fiat provider contradicts what is recorded");
  if (effect === "unknown_order") throw new Refusal("not_found", { detail: "There is no such order." });
  return { trace };
}
