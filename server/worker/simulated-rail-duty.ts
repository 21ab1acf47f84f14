import type { Uses } from "#server/context.ts";
import { type CallAsProvider, makeSimulatedCalls } from "#server/engines/simulated-rail/make-simulated-calls.ts";
import type { Duty } from "./loop.ts";

/** The sandbox's simulated fiat provider, making its calls. With a real provider there is no such duty. */
export function simulatedRailDuty(ctx: Uses<"db" | "log">, call: CallAsProvider): Duty {
  return {
    name: "simulated_rail",
    everyMs: 300,
    run: async () => ((await makeSimulatedCalls(ctx, call)) > 0 ? "busy" : "idle"),
  };
}
