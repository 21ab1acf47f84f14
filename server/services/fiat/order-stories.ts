import {
  type BrowsedTopup,
  type BrowsedWithdrawal,
  browseTopups,
  browseWithdrawals,
  findBrowsedTopup,
  findBrowsedWithdrawal,
  type OrderFilter,
} from "#db/queries/fiat/browse-orders.ts";
import { listProviderEvents, type ProviderEvent } from "#db/queries/fiat/provider-statement.ts";
import { findPayment, type HistoryEntry, listHistory, type Payment } from "#db/queries/settlements/settlement-story.ts";
import type { By } from "#domain/access.ts";
import { isId } from "#domain/ids.ts";
import { walkAll } from "#domain/page.ts";
import { Refusal } from "#domain/refusal.ts";
import type { PayoutWait } from "#domain/withdrawal.ts";
import type { Uses } from "#server/context.ts";
import type { ChainInfo } from "#server/ports.ts";
import { recordExport } from "#server/services/audit/record-export.ts";
import { readCallbacksOf } from "#server/services/callbacks/read-callbacks.ts";
import { readPayoutWait } from "./read-orders.ts";

export type { ProviderEvent } from "#db/queries/fiat/provider-statement.ts";

/** Everything about a top-up or withdrawal besides the order itself. */
export type OrderStory = {
  history: HistoryEntry[];
  /** Every report of the provider, in order of arrival. */
  events: ProviderEvent[];
  callbackList: Awaited<ReturnType<typeof readCallbacksOf>>;
  /** The chain that it is paid on; null: it is no longer served. */
  paidOn: ChainInfo | null;
};
export type TopupStory = BrowsedTopup & OrderStory & { payment: Payment | null };
export type WithdrawalStory = BrowsedWithdrawal & OrderStory & { sweep: Payment | null; returned: Payment | null; wait: PayoutWait | null };

type Query = { id: string; partnerId?: string };

/** @throws Refusal `not_found`, for a foreign id just as for one that never existed. */
export async function readTopupStory(ctx: Uses<"db" | "chains">, query: Query): Promise<TopupStory> {
  const { id, partnerId } = query;
  const found = isId("topup", id) ? await findBrowsedTopup(ctx.db, id, partnerId) : null;
  if (found === null) throw new Refusal("not_found", { detail: "There is no such top-up." });
  const [story, payment] = await Promise.all([readStory(ctx, query, found.topup.chain), findPayment(ctx.db, "topup", id)]);
  return { ...found, ...story, payment };
}

/** @throws Refusal `not_found`, for a foreign id just as for one that never existed. */
export async function readWithdrawalStory(ctx: Uses<"db" | "chains">, query: Query): Promise<WithdrawalStory> {
  const { id, partnerId } = query;
  const found = isId("withdrawal", id) ? await findBrowsedWithdrawal(ctx.db, id, partnerId) : null;
  if (found === null) throw new Refusal("not_found", { detail: "There is no such withdrawal." });
  const [story, sweep, returned, wait] = await Promise.all([
    readStory(ctx, query, found.withdrawal.chain),
    findPayment(ctx.db, "sweep", id),
    findPayment(ctx.db, "return", id),
    readPayoutWait(ctx, found.withdrawal),
  ]);
  return { ...found, ...story, sweep, returned, wait };
}

async function readStory(ctx: Uses<"db" | "chains">, { id, partnerId }: Query, chain: string): Promise<OrderStory> {
  const [callbackList, events] = await Promise.all([readCallbacksOf(ctx, id), listProviderEvents(ctx.db, id)]);
  const history = await listHistory(ctx.db, [id, ...callbackList.map((callback) => callback.id)], partnerId);
  return { history, events, callbackList, paidOn: ctx.chains.find(chain) };
}

export type ExportOrders = { by: By; filter: OrderFilter /** In wire names, for the audit log. */; asked: Record<string, unknown> };

/** Every top-up that matches the filter, newest first, read batch by batch on demand. The audit log records who exported them. */
export async function exportTopups(ctx: Uses<"db">, { by, filter, asked }: ExportOrders): Promise<AsyncGenerator<readonly BrowsedTopup[]>> {
  await recordExport(ctx, { by, what: "topups", change: asked });
  return walkAll(
    (walk) => browseTopups(ctx.db, filter, walk),
    ({ topup }) => topup,
  );
}

/** As {@link exportTopups}, of withdrawals. */
export async function exportWithdrawals(
  ctx: Uses<"db">,
  { by, filter, asked }: ExportOrders,
): Promise<AsyncGenerator<readonly BrowsedWithdrawal[]>> {
  await recordExport(ctx, { by, what: "withdrawals", change: asked });
  return walkAll(
    (walk) => browseWithdrawals(ctx.db, filter, walk),
    ({ withdrawal }) => withdrawal,
  );
}
