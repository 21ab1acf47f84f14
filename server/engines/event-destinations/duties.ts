import type { Duty } from "#server/engines/duty.ts";
import type { DestinationEngine } from "./engine.ts";
import { drainDestinations, serveOnce } from "./serve-due.ts";

/** How long what is being sent may take after the worker's stop. */
const DRAIN_GRACE_MS = 1_000;
/** Rounds are no closer than that: under load, every web process wakes the workers many times a second. */
const GATHER_MS = 50;

/** Events for destinations. New events wake it, and it finds what it has missed within a second. */
export function destinationDuties(engine: DestinationEngine): Duty[] {
  return [
    {
      name: "event_destinations",
      channel: "events",
      everyMs: 1_000,
      async run() {
        const verdict = await serveOnce(engine);
        await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
        return verdict;
      },
      onWake: (wake) => {
        engine.wake = wake;
      },
      drain: () => drainDestinations(engine, DRAIN_GRACE_MS),
    },
  ];
}
