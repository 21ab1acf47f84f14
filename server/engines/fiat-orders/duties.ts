import type { Duty } from "#server/engines/duty.ts";
import type { FiatEngine } from "./engine.ts";
import { runOrdersOnce } from "./run-orders.ts";

/** Withdrawals and top-ups do not wait for one another. */
export function fiatDuties(engine: FiatEngine): Duty[] {
  return (["withdrawals", "topups"] as const).map((table) => ({
    name: table,
    channel: "fiat",
    everyMs: 1_000,
    run: () => runOrdersOnce(engine, table),
  }));
}
