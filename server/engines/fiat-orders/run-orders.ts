import { type FiatTable, restOrder } from "#db/queries/fiat/fiat-work.ts";
import { processDue, type Verdict } from "#server/engines/duty.ts";
import type { FiatEngine } from "./engine.ts";
import { processTopup } from "./process-topup.ts";
import { processWithdrawal } from "./process-withdrawal.ts";

/** After a defect: it is retried, but not all the time. */
const REST_SECONDS = 30;

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
      ctx.log.error({ order_id: lease.id, err: error }, "an order could not be moved on");
      const reason = "An internal error stopped it; the log says more.";
      await restOrder(ctx.db, table, lease, { seconds: REST_SECONDS, reason, tried: true });
    },
  });
}
