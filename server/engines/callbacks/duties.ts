import type { Duty } from "#server/engines/duty.ts";
import { deliverOnce, drainDeliveries } from "./deliver.ts";
import type { CallbackEngine } from "./engine.ts";

/** How long callbacks in flight may still finish after the worker's stop; the others are aborted and released. */
const DRAIN_GRACE_MS = 3_000;

/** Owed callbacks: the schedule's promise is a start within two seconds of being due, so the net is finer than that. */
export function callbackDuties(engine: CallbackEngine): Duty[] {
  return [
    {
      name: "callbacks",
      channel: "callbacks",
      everyMs: 1_000,
      run: () => deliverOnce(engine),
      onWake: (wake) => {
        engine.wake = wake;
      },
      drain: () => drainDeliveries(engine, DRAIN_GRACE_MS),
    },
  ];
}
