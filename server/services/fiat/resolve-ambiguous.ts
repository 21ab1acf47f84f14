import { orderResolutionBody } from "#contract/proposal-bodies.ts";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { askAgain, type FiatTable, isAmbiguous } from "#db/queries/fiat/fiat-work.ts";
import { findStatedOrders, listHaltedOrders, listOrdersSettled } from "#db/queries/fiat/provider-statement.ts";
import { lockTopup, settlePaidLate } from "#db/queries/fiat/topups.ts";
import { lockWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { type By, SYSTEM } from "#domain/access.ts";
import { providerScope } from "#domain/fiat.ts";
import { judgeStatement, type StatedOrder, type StatementRow, type Verdict } from "#domain/provider-statement.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { bookLatePayment, bookStatedCosts, type PaidLate, type StatedCosts } from "#server/services/ledger/book-fiat-orders.ts";
import { type Order, type ProposalKind, propose } from "#server/services/proposals/propose.ts";
import { applyProviderUpdate, type OrderKind } from "./apply-provider-update.ts";

/**
 * An operator's finding about an ambiguous order: the provider moved the money (under that reference), it did not and never will, or it
 * should be asked again. The order is never submitted a second time. For a top-up that was paid after it had expired: the payer has the
 * money back (under that reference), or it was settled otherwise.
 */
export type AmbiguousResolution = { outcome: "moved" | "refunded"; reference: string } | { outcome: "not_moved" | "ask_again" | "settled" };

export type ResolveAmbiguous = { by: By; reason: string; kind: OrderKind; orderId: string; resolution: AmbiguousResolution };

const AUDITED_AS = {
  moved: "resolved_moved",
  not_moved: "resolved_not_moved",
  ask_again: "asked_again",
  refunded: "late_payment_refunded",
  settled: "late_payment_settled",
};

type Body = ReturnType<typeof orderResolutionBody.parse>;

/** In live mode two people say what became of an order at the provider. */
export const ORDER_RESOLUTION: ProposalKind<Body, object, Uses<"mode">> = {
  kind: "order_resolution",
  permission: "administer",
  schema: orderResolutionBody,
  show: (body) => body,
  carryOut: (ctx, order) => settle(ctx.db, ctx, order),
};

/**
 * Settles an ambiguous order by an operator's decision. It is stored like a report of the provider and has the same effect: the order
 * completes, or its crypto goes back. In live mode a second person confirms it; to ask the provider again takes one.
 *
 * @returns the stored `traceparent` of the order, and whether it waits for the second person
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `invalid_state` unless it is ambiguous, and for an outcome of the other
 * case; `conflict` when a decision is proposed already
 */
export async function resolveAmbiguous(
  ctx: Uses<"db" | "clock" | "mode">,
  command: ResolveAmbiguous,
): Promise<{ trace: string | null; proposed: boolean }> {
  refuseUnlessAdministrator(command.by, ctx.clock.now());
  const { kind, orderId, resolution, by, reason } = command;
  const { outcome } = resolution;
  const { trace } = await ctx.db.transaction(async (tx) => {
    const held = await lockAmbiguousOrder(tx, kind, orderId);
    refuseOtherCase(held, outcome);
    if (outcome !== "ask_again") return held;
    await askAgain(tx, held.table, orderId);
    await audit(tx, { by, reason, kind, orderId, outcome });
    return held;
  });
  if (outcome === "ask_again") return { trace, proposed: false };
  const reference = "reference" in resolution ? resolution.reference : null;
  const body = { kind, order_id: orderId, outcome, reference };
  const { result } = await propose(ctx, ORDER_RESOLUTION, { by, subject: orderId, body, reason });
  return { trace, proposed: result === null };
}

async function settle(tx: Database, ctx: Uses<"mode">, { by, proposer, reason, body }: Order<Body>): Promise<object> {
  const { kind, order_id: orderId, outcome, reference } = body;
  const held = await lockAmbiguousOrder(tx, kind, orderId);
  refuseOtherCase(held, outcome);
  if (held.late !== null) {
    await settlePaidLate(tx, orderId);
    await bookLatePayment(tx, held.late, { by, reason, askedBy: proposer.id, refunded: outcome === "refunded" });
  }
  if (held.late === null) {
    const status = outcome === "moved" ? ("succeeded" as const) : ("failed" as const);
    const word = { status, reference, reason: null };
    await applyProviderUpdate(tx, ctx, { provider: null, kind, orderId, source: "operator", word, body: null });
  }
  await audit(tx, { by, reason, kind, orderId, outcome, change: { ...(reference !== null && { reference }), asked_by: proposer.id } });
  return {};
}

type Audited = Pick<ResolveAmbiguous, "by" | "kind" | "orderId"> & {
  reason: string | null;
  outcome: AmbiguousResolution["outcome"];
  change?: Record<string, unknown>;
};

async function audit(tx: Database, { by, reason, kind, orderId: objectId, outcome, change = {} }: Audited): Promise<void> {
  const action = `${kind}.${AUDITED_AS[outcome]}`;
  await insertAuditEntry(tx, { by, reason, partnerId: null, action, objectId, change });
}

function refuseOtherCase({ late }: HeldCase, outcome: AmbiguousResolution["outcome"]): void {
  const paidLate = late !== null;
  if (paidLate !== (outcome === "refunded" || outcome === "settled"))
    throw new Refusal("invalid_state", { detail: paidLate ? PAID_LATE : "It was not paid late: find out its status with the provider." });
}

const PAID_LATE = "It has expired and was paid afterwards: say what became of the money.";

/** `late`: the top-up that was paid after it had expired. */
type HeldCase = { table: FiatTable; late: PaidLate | null; trace: string | null };

async function lockAmbiguousOrder(tx: Database, kind: OrderKind, orderId: string): Promise<HeldCase> {
  const table = kind === "withdrawal" ? "withdrawals" : "topups";
  const order = kind === "withdrawal" ? await lockWithdrawal(tx, orderId) : await lockTopup(tx, orderId);
  if (order === null) throw new Refusal("not_found", { detail: "There is no such order." });
  if (await isAmbiguous(tx, table, orderId))
    return {
      table,
      late: "latePaidAt" in order && order.latePaidAt !== null ? { ...order, latePaidAt: order.latePaidAt } : null,
      trace: order.trace,
    };
  throw new Refusal("invalid_state", { detail: "The provider's result for this order is known, so there is nothing to decide." });
}

export type ReconcileProvider = {
  /** Whose statement it is. */
  provider: string;
  rows: readonly StatementRow[];
  /** The period of the statement in business time, from inclusive, to exclusive; null: nothing counts as missing. */
  period: { from: Date; to: Date } | null;
};

type Stated = { order: StatedOrder; rows: StatementRow[] };
/** `unknown`: lines that match no order. `missing`: orders done in the period according to our records, but not in the statement. */
export type ProviderReconciliation = {
  matched: Stated[];
  open: Stated[];
  ambiguous: Stated[];
  contradicting: (Stated & { why: string })[];
  unknown: StatementRow[];
  missing: StatedOrder[];
  costs: StatedCosts;
  halted: boolean;
};

/**
 * Compares a fiat provider's statement with its orders, and books the costs that it names. It changes no order: an operator settles ambiguous ones. A
 * contradiction, including a missing order, halts the provider once per order, so that an operator who lifts the halt is not overruled.
 */
export async function reconcileProvider(
  ctx: Uses<"db" | "log">,
  { provider, rows, period }: ReconcileProvider,
): Promise<ProviderReconciliation> {
  return await ctx.db.transaction(async (tx) => {
    const found = await findStatedOrders(tx, {
      provider,
      ids: rows.flatMap(({ orderId }) => orderId ?? []),
      references: rows.flatMap(({ orderId, reference }) => (orderId === null && reference !== null ? [reference] : [])),
    });
    const compared = compare(found, rows);
    const named = new Set(compared.stated.map(({ order }) => order.id));
    const missing = period === null ? [] : (await listOrdersSettled(tx, provider, period)).filter(({ id }) => !named.has(id));
    const contradicting = compared.stated.flatMap(({ verdict, ...stated }) =>
      verdict.outcome === "contradicting" ? [{ ...stated, why: verdict.why }] : [],
    );
    const of = (outcome: Verdict["outcome"]) => compared.stated.filter(({ verdict }) => verdict.outcome === outcome);
    const costs = await bookStatedCosts(tx, of("matched"));
    const known = await listHaltedOrders(tx, provider);
    const news = [...contradicting.map(({ order }) => order.id), ...missing.map(({ id }) => id)].filter((id) => !known.has(id));
    const halt =
      news.length === 0
        ? null
        : await haltScope(tx, {
            scope: providerScope(provider),
            cause: "provider_contradiction",
            detail: `The provider's statement contradicts ${news.length === 1 ? "an order" : `${news.length} orders`}: ${news.slice(0, 5).join(", ")}.`,
            evidence: { order_ids: news },
          });
    const counts = {
      lines: rows.length,
      contradicting: contradicting.length,
      missing: missing.length,
      unknown: compared.unknown.length,
      costs: costs.booked,
    };
    await insertAuditEntry(tx, {
      by: SYSTEM,
      partnerId: null,
      action: "provider.reconciled",
      objectId: provider,
      change: counts,
    });
    if (news.length > 0) ctx.log.error({ ...counts, orders: news }, "the fiat provider's statement contradicts orders");
    const { unknown } = compared;
    return {
      matched: of("matched"),
      open: of("open"),
      ambiguous: of("ambiguous"),
      contradicting,
      unknown,
      missing,
      costs,
      halted: halt !== null,
    };
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
