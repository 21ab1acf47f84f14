import type { Uses } from "#server/context.ts";
import type { Duty } from "#server/engines/duty.ts";
import { type CallAsProvider, makeSimulatedCalls } from "./make-simulated-calls.ts";

/** The calls of the sandbox's simulated fiat provider. With a real provider there is no such duty. */
export function simulatedRailDuties(ctx: Uses<"db" | "log">, call: CallAsProvider): Duty[] {
  return [{ name: "simulated_rail", everyMs: 500, run: () => makeSimulatedCalls(ctx, call) }];
}
