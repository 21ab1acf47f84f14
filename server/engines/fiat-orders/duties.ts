import { listProviderBalances } from "#db/queries/fiat/provider-balances.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import type { ProviderBalance } from "#domain/provider-balance.ts";
import type { Uses } from "#server/context.ts";
import type { Duty } from "#server/engines/duty.ts";
import { type AskedRails, compareBalances } from "#server/services/fiat/compare-balances.ts";
import type { FiatEngine } from "./engine.ts";
import { runOrdersOnce } from "./run-orders.ts";

/**
 * The stop waits for a provider's answer to an order: without the answer, the outcome is ambiguous and must be asked for. An order without
 * an answer keeps its lease, so that no other worker submits it at the same time.
 */
const PATIENCE_MS = 8_000;

/** Once an hour: whether the providers hold what the pools say. `onRead`: what they said last, for the figures. */
export function balanceDuty(
  ctx: Uses<"db" | "log">,
  rails: AskedRails,
  onRead: (balances: readonly ProviderBalance[], now: Date) => void,
): Duty {
  return {
    name: "provider_balances",
    everyMs: 60_000,
    async run() {
      await compareBalances(ctx, rails);
      onRead(await listProviderBalances(ctx.db), await readBusinessNow(ctx.db));
      return "idle";
    },
  };
}

/** Withdrawals and top-ups do not wait for one another. */
export function fiatDuties(engine: FiatEngine): Duty[] {
  return (["withdrawals", "topups"] as const).map((table) => ({
    name: table,
    channel: "fiat",
    everyMs: 1_000,
    patienceMs: PATIENCE_MS,
    run: () => runOrdersOnce(engine, table),
  }));
}
