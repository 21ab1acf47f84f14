import { listCallbacksOf } from "#db/queries/callbacks/callbacks.ts";
import { type BrowsedSettlement, listBrowsedByIds } from "#db/queries/settlements/browse-settlements.ts";
import {
  findMaximumOf,
  findPayment,
  type HistoryEntry,
  listHistory,
  listQuotes,
  type Payment,
} from "#db/queries/settlements/settlement-story.ts";
import type { Callback } from "#domain/callback.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Quote } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import type { ChainInfo } from "#server/ports.ts";

export type { HistoryEntry, Payment } from "#db/queries/settlements/settlement-story.ts";

export type SettlementStory = BrowsedSettlement & {
  quotes: Quote[];
  /** From the terms of its first price, in source minor units. */
  maximumSourceMinor: bigint | null;
  callbackList: Callback[];
  history: HistoryEntry[];
  payment: Payment | null;
  /** The chain that it is paid on; null: it is no longer served. */
  paidOn: ChainInfo | null;
};

/**
 * Everything about one settlement, of this partner where given.
 *
 * @throws Refusal `settlement_not_found`, for a foreign id just as for one that never existed.
 */
export async function readSettlementStory(ctx: Uses<"db" | "chains">, query: { id: string; partnerId?: string }): Promise<SettlementStory> {
  const [found] = isId("settlement", query.id) ? await listBrowsedByIds(ctx.db, [query.id], query.partnerId) : [];
  if (found === undefined) throw new Refusal("settlement_not_found");
  const { id, chain } = found.settlement;
  const [quotes, callbackList, payment] = await Promise.all([
    listQuotes(ctx.db, id),
    listCallbacksOf(ctx.db, [id]),
    findPayment(ctx.db, "settlement", id),
  ]);
  const [history, maximumSourceMinor] = await Promise.all([
    listHistory(ctx.db, [id, ...callbackList.map((callback) => callback.id)], query.partnerId),
    findMaximumOf(ctx.db, (quotes[0] ?? found.settlement.quote).pairTermsId),
  ]);
  const paidOn = ctx.chains.find(chain);
  return { ...found, quotes, maximumSourceMinor, callbackList, history, payment, paidOn };
}
