import { findSimulatedOrder, keepSimulatedOrder, type SimulatedOrder, sumSimulatedBalances } from "#db/queries/fiat/simulated-orders.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { planSimulatedOrder } from "#domain/simulated-order.ts";
import type { Uses } from "#server/context.ts";
import { type FiatAnswer, type FiatOrder, type FiatRail, Rejected } from "#server/ports.ts";
import { refuseInLiveMode } from "#server/services/maintenance/clock.ts";

/**
 * The sandbox's fiat provider: it takes every order, settles it after a moment of business time, and says so by calling our own
 * addresses over HTTP like a stranger (`makeSimulatedCalls`). The account decides what else it does (`planSimulatedOrder`).
 *
 * @throws Refusal `route_not_found` in live mode.
 */
export function simulatedRail(ctx: Uses<"db" | "mode">): FiatRail {
  refuseInLiveMode(ctx);
  return {
    collect: (order) => take(ctx, "collection", order),
    payOut: (order) => take(ctx, "payout", order),
    async lookUp(orderId) {
      const order = await findSimulatedOrder(ctx.db, orderId);
      return order === null ? null : answerOf(order, await readBusinessNow(ctx.db));
    },
    balances: () => sumSimulatedBalances(ctx.db),
  };
}

async function take({ db }: Uses<"db">, kind: SimulatedOrder["kind"], order: FiatOrder): Promise<FiatAnswer> {
  const now = await readBusinessNow(db);
  const reference = `sim_${order.id}`;
  const plan = planSimulatedOrder(order.account.account, reference);
  if (plan.refusal !== null) throw new Rejected(plan.refusal);
  if (plan.isForgotten) return { status: "pending", reference, instructions: null };
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  const [first] = plan.calls;
  const kept = await keepSimulatedOrder(db, {
    id: order.id,
    kind,
    reference,
    outcome: plan.outcome,
    settlesAt: after(plan.settlesAfterSeconds),
    calls: plan.calls,
    dueAt: first === undefined ? null : after(first.afterSeconds),
    createdAt: now,
  });
  return answerOf(kept, now);
}

function answerOf({ outcome, reference, settlesAt }: SimulatedOrder, now: Date): FiatAnswer {
  if (now.getTime() >= settlesAt.getTime()) return { ...outcome, instructions: null };
  return { status: "pending", reference, instructions: null };
}
