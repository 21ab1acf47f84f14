import { instant } from "#contract/primitives.ts";
import { timeOperation } from "#contract/time.ts";
import { bind } from "./bind.ts";

/** `GET /time`: the clock against which signed timestamps are judged. */
export const TIME = bind(timeOperation, async (ctx) => {
  const now = ctx.clock.now();
  return { body: { now: instant(now), epoch_seconds: Math.floor(now.getTime() / 1_000) } };
});
