import { readClockOffset } from "#db/queries/upkeep/business-clock.ts";
import type { Uses } from "#server/context.ts";
import { refuseInLiveMode } from "./refuse-in-live-mode.ts";

/** Business time, and by how many whole seconds it is ahead of real time (contract, part 9 "Clocks"). */
export type SandboxClock = { now: Date; offsetSeconds: number };

/**
 * Where the sandbox's clock stands.
 *
 * @throws Refusal `route_not_found` in live mode.
 */
export async function readClock(ctx: Uses<"db" | "mode">): Promise<SandboxClock> {
  refuseInLiveMode(ctx);
  const { now, offsetMs } = await readClockOffset(ctx.db);
  return { now, offsetSeconds: offsetMs / 1_000 };
}
