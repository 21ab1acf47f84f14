import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findStatedOrders, listHaltedOrders, listOrdersSettled } from "#db/queries/fiat/provider-statement.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { SYSTEM } from "#domain/access.ts";
import { PROVIDER_LANE } from "#domain/fiat.ts";
import { judgeStatement, type StatedOrder, type StatementRow, type Verdict } from "#domain/provider-statement.ts";
import type { Uses } from "#server/context.ts";
import { haltLane } from "#server/services/halts/halt-lane.ts";

export type ReconcileProvider = {
  rows: readonly StatementRow[];
  /** The period of the statement in business time, from inclusive, to exclusive; null: nothing is said to be missing in it. */
  period: { from: Date; to: Date } | null;
};

type Stated = { order: StatedOrder; rows: StatementRow[] };
/** `unknown`: lines about none of our orders. `missing`: what we hold for done in the period, and the statement does not name. */
export type ProviderReconciliation = {
  matched: Stated[];
  open: Stated[];
  ambiguous: Stated[];
  contradicting: (Stated & { why: string })[];
  unknown: StatementRow[];
  missing: StatedOrder[];
  halted: boolean;
};

/**
 * Compares a statement of the fiat provider's with the orders. It moves none of them: what was ambiguous an operator settles with the
 * statement in hand. A contradiction (and what is missing is one) halts the provider's lane, once for each order, so that an operator who
 * lifted the halt is not overruled.
 */
export async function reconcileProvider(ctx: Uses<"db" | "log">, { rows, period }: ReconcileProvider): Promise<ProviderReconciliation> {
  return await ctx.db.transaction(async (tx) => {
    const found = await findStatedOrders(tx, {
      ids: rows.flatMap(({ orderId }) => orderId ?? []),
      references: rows.flatMap(({ orderId, reference }) => (orderId === null && reference !== null ? [reference] : [])),
    });
    const compared = compare(found, rows);
    const named = new Set(compared.stated.map(({ order }) => order.id));
    const missing = period === null ? [] : (await listOrdersSettled(tx, period)).filter(({ id }) => !named.has(id));
    const contradicting = compared.stated.flatMap(({ verdict, ...stated }) =>
      verdict.outcome === "contradicting" ? [{ ...stated, why: verdict.why }] : [],
    );
    const of = (outcome: Verdict["outcome"]) => compared.stated.filter(({ verdict }) => verdict.outcome === outcome);
    const known = await listHaltedOrders(tx);
    const news = [...contradicting.map(({ order }) => order.id), ...missing.map(({ id }) => id)].filter((id) => !known.has(id));
    const halt =
      news.length === 0
        ? null
        : await haltLane(tx, {
            lane: PROVIDER_LANE,
            cause: "provider_contradiction",
            detail: `The provider's statement contradicts ${news.length === 1 ? "an order" : `${news.length} orders`}: ${news.slice(0, 5).join(", ")}.`,
            evidence: { order_ids: news },
          });
    const counts = { lines: rows.length, contradicting: contradicting.length, missing: missing.length, unknown: compared.unknown.length };
    await insertAuditEntry(tx, {
      by: SYSTEM,
      partnerId: null,
      action: "provider.reconciled",
      objectId: PROVIDER_LANE.key,
      change: counts,
      now: await readBusinessNow(tx),
    });
    if (news.length > 0) ctx.log.error({ ...counts, orders: news }, "the fiat provider's statement contradicts orders");
    const { unknown } = compared;
    return { matched: of("matched"), open: of("open"), ambiguous: of("ambiguous"), contradicting, unknown, missing, halted: halt !== null };
  });
}

/** Each order with its lines, and the lines that belong to none. By our id where a line has one, else by the provider's reference. */
function compare(orders: readonly StatedOrder[], rows: readonly StatementRow[]) {
  const byId = new Map(orders.map((order) => [order.id, order]));
  const byReference = new Map(orders.flatMap((order) => (order.reference === null ? [] : [[order.reference, order] as const])));
  const ownerOf = ({ orderId, reference }: StatementRow) => (orderId === null ? byReference.get(reference ?? "") : byId.get(orderId));
  const stated = [...Map.groupBy(rows, ownerOf)].flatMap(([order, lines]) =>
    order === undefined ? [] : [{ order, rows: lines, verdict: judgeStatement(order, lines) }],
  );
  return { stated, unknown: rows.filter((row) => ownerOf(row) === undefined) };
}
