import { instant } from "#contract/primitives.ts";
import { timeOperation } from "#contract/time.ts";
import { bindOpen } from "./open-surface.ts";

/** `GET /time`: the clock against which signed timestamps are judged. */
export const timeBinding = bindOpen(timeOperation, {
  run: async (ctx) => {
    const now = ctx.clock.now();
    return { body: { now: instant(now), epoch_seconds: Math.floor(now.getTime() / 1_000) } };
  },
});
