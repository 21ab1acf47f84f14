import type { Duty } from "#server/engines/duty.ts";
import type { FiatEngine } from "./engine.ts";
import { runOrdersOnce } from "./run-orders.ts";

/**
 * A provider that was given an order is heard out: anyone who does not hear its answer must ask, and doubts. What was not heard by then keeps its
 * lease, so that no other worker gives the order while this one still does.
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
