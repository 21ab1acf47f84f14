import type { Duty } from "#server/engines/duty.ts";
import type { FiatEngine } from "./engine.ts";
import { runOrdersOnce } from "./run-orders.ts";

/**
 * The stop waits for a provider's answer to an order: without the answer, the outcome is ambiguous and must be asked for. An order without
 * an answer keeps its lease, so that no other worker submits it at the same time.
 */
const PATIENCE_MS = 8_000;

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
