import { holdsLease } from "#db/lease.ts";
import { type FiatTable, restOrder } from "#db/queries/fiat/fiat-work.ts";
import { findTopup, lockTopup, savePaymentAdvice } from "#db/queries/fiat/topups.ts";
import { findWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { expiryOf, hasExpired } from "#domain/topup.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";
import { processDue, type Verdict } from "#server/engines/duty.ts";
import type { FiatRail } from "#server/ports.ts";
import { changeTopup } from "#server/services/fiat/change-orders.ts";
import type { FiatEngine, LeasedOrder } from "./engine.ts";
import { restWhileHalted } from "./rest-while-halted.ts";
import { sweepSafe } from "./sweep-safe.ts";
import { notConfigured, talkToProvider } from "./talk-to-provider.ts";

/** After a defect: it is retried, but not all the time. */
const DEFECT_REST_SECONDS = 30;
/** While its provider is not configured. */
const UNCONFIGURED_REST_SECONDS = 60;

/** Does the next step of every order that is due, each on its own: what goes wrong with one is logged, and does not stop the others. */
export async function runOrdersOnce(engine: FiatEngine, table: FiatTable): Promise<Verdict> {
  const { ctx, batch, heldLeases } = engine;
  return await processDue({
    batch,
    heldLeases: heldLeases[table],
    async work(lease) {
      engine.step("claimed", lease.id);
      if (table === "withdrawals") await processWithdrawal(engine, { table, lease });
      else await processTopup(engine, { table, lease });
    },
    async settle(lease, error) {
      ctx.log.error({ order_id: lease.id, err: error }, "an order could not be processed");
      const reason = "An internal error stopped it; the log says more.";
      await restOrder(ctx.db, table, lease, { seconds: DEFECT_REST_SECONDS, reason, tried: true });
    },
  });
}

/** The worker's step with a top-up: asks the provider to collect, or whether it has; after the expiry, for the last time. */
async function processTopup(engine: FiatEngine, held: LeasedOrder): Promise<void> {
  const { db } = engine.ctx;
  const topup = await findTopup(db, held.lease.id);
  if (topup?.step !== "collecting") return;
  const { id, amountMinor, currency, source } = topup;
  const give = (rail: FiatRail) => rail.collect({ id, amountMinor, currency, account: { ...source, name: null } });
  const isOver = hasExpired(topup, await readBusinessNow(db));
  const answer = await talkToProvider(engine, held, topup, give, { at: expiryOf(topup), isOver, end: () => expire(engine, held) });
  if (answer?.status === "pending" && answer.instructions !== null) await savePaymentAdvice(db, id, answer.instructions);
}

/** Ends it, unless another worker has it or it was moved meanwhile. */
async function expire({ ctx }: FiatEngine, { lease }: LeasedOrder): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const topup = await lockTopup(tx, lease.id);
    if (topup?.step !== "collecting" || !(await holdsLease(tx, "topups", lease))) return;
    await changeTopup(tx, topup, { type: "expire" }, await readBusinessNow(tx));
  });
}

/**
 * The worker's step with a withdrawal: it sweeps the crypto first, and only when that is final asks the provider to pay. Nothing is taken
 * while nothing may be paid.
 */
async function processWithdrawal(engine: FiatEngine, held: LeasedOrder): Promise<void> {
  const withdrawal = await findWithdrawal(engine.ctx.db, held.lease.id);
  if (withdrawal?.step === "reserved") await sweepUnlessBarred(engine, held, withdrawal);
  if (withdrawal?.step !== "paying_out") return;
  const { id, amountMinor, currency, destination } = withdrawal;
  await talkToProvider(engine, held, withdrawal, (rail) => rail.payOut({ id, amountMinor, currency, account: destination }));
}

/** Nothing is taken yet: while its provider cannot pay, the crypto stays in the Safe, and the order continues by itself. */
async function sweepUnlessBarred(engine: FiatEngine, held: LeasedOrder, withdrawal: Withdrawal): Promise<void> {
  const { provider } = withdrawal;
  if (await restWhileHalted(engine, held, provider)) return;
  if (engine.rails.of(provider) !== null) return await sweepSafe(engine, held, withdrawal);
  await restOrder(engine.ctx.db, held.table, held.lease, {
    seconds: UNCONFIGURED_REST_SECONDS,
    reason: notConfigured(provider),
    tried: false,
  });
}
