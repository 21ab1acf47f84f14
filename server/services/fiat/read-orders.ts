import {
  type BrowsedTopup,
  type BrowsedWithdrawal,
  browseTopups as browseTopupRows,
  browseWithdrawals as browseWithdrawalRows,
  type OrderFilter,
} from "#db/queries/fiat/browse-orders.ts";
import { type AmbiguousOrder, listAmbiguous } from "#db/queries/fiat/fiat-work.ts";
import { findTopup } from "#db/queries/fiat/topups.ts";
import { findWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { listPayoutWaits } from "#db/queries/holds/ended-waits.ts";
import { isId } from "#domain/ids.ts";
import { type Walk, type Walked, walkPage } from "#domain/page.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Topup } from "#domain/topup.ts";
import type { PayoutWait, Withdrawal } from "#domain/withdrawal.ts";
import type { Uses } from "#server/context.ts";

/**
 * The top-up of that id; with a partner, only that partner's.
 *
 * @throws Refusal `not_found`, for a foreign id just as for one that never existed.
 */
export async function readTopup(ctx: Uses<"db">, query: { partnerId?: string; id: string }): Promise<Topup> {
  const topup = isId("topup", query.id) ? await findTopup(ctx.db, query.id, query.partnerId) : null;
  if (topup === null) throw new Refusal("not_found", { detail: "There is no such top-up." });
  return topup;
}

/**
 * The withdrawal of that id; with a partner, only that partner's.
 *
 * @throws Refusal `not_found`, for a foreign id just as for one that never existed.
 */
export async function readWithdrawal(ctx: Uses<"db">, query: { partnerId?: string; id: string }): Promise<Withdrawal> {
  const withdrawal = isId("withdrawal", query.id) ? await findWithdrawal(ctx.db, query.id, query.partnerId) : null;
  if (withdrawal === null) throw new Refusal("not_found", { detail: "There is no such withdrawal." });
  return withdrawal;
}

/** Why it waits before its crypto is taken; null: it does not. */
export async function readPayoutWait(ctx: Uses<"db">, { id, step }: Pick<Withdrawal, "id" | "step">): Promise<PayoutWait | null> {
  return step === "sweeping" ? ((await listPayoutWaits(ctx.db, [id])).get(id) ?? null) : null;
}

export type { BrowsedTopup, BrowsedWithdrawal, OrderFilter } from "#db/queries/fiat/browse-orders.ts";

type Browse = { filter: OrderFilter } & Walk;

/** Top-ups of a partner, or of all, newest first, for people. */
export async function browseTopups(ctx: Uses<"db">, { filter, ...walk }: Browse): Promise<Walked<BrowsedTopup>> {
  return await walkPage(
    walk,
    (each) => browseTopupRows(ctx.db, filter, each),
    ({ topup }) => topup,
  );
}

/** As {@link browseTopups}, of withdrawals. */
export async function browseWithdrawals(ctx: Uses<"db">, { filter, ...walk }: Browse): Promise<Walked<BrowsedWithdrawal>> {
  return await walkPage(
    walk,
    (each) => browseWithdrawalRows(ctx.db, filter, each),
    ({ withdrawal }) => withdrawal,
  );
}

export type { AmbiguousOrder } from "#db/queries/fiat/fiat-work.ts";

const AT_ONCE = 100;

/** Orders that wait for an operator's decision (or a late report of the provider), the longest waiting first, at most a hundred. */
export async function listAmbiguousOrders(ctx: Uses<"db">): Promise<AmbiguousOrder[]> {
  return await listAmbiguous(ctx.db, AT_ONCE);
}
