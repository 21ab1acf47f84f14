import { holdsLease } from "#db/lease.ts";
import { findTopup, lockTopup, savePaymentAdvice } from "#db/queries/fiat/topups.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { expiryOf, hasExpired } from "#domain/topup.ts";
import type { FiatRail } from "#server/ports.ts";
import { changeTopup } from "#server/services/fiat/change-orders.ts";
import type { FiatEngine, LeasedOrder } from "./engine.ts";
import { talkToProvider } from "./talk-to-provider.ts";

/** The worker's step with a top-up: asks the provider to collect, or whether it has; after the expiry, for the last time. */
export async function processTopup(engine: FiatEngine, held: LeasedOrder): Promise<void> {
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
