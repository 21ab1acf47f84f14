import type { ClaimedDestination } from "#db/queries/events/destinations.ts";
import type { Observe } from "#server/engines/duty.ts";
import { HeldLeases } from "#server/engines/held-leases.ts";
import type { SendingPowers, SendingSettings } from "#server/services/event-destinations/send-event.ts";

/** The steps of a page. Between any two of them the process may die. */
export const DESTINATION_STEPS = ["claimed", "sent", "written"] as const;
export type DestinationStep = (typeof DESTINATION_STEPS)[number];

/** What one worker process needs to send events to destinations, and which it has in hand. Everything that matters is in the database. */
export type DestinationEngine = {
  ctx: SendingPowers;
  settings: SendingSettings;
  heldLeases: HeldLeases;
  inHand: Map<ClaimedDestination, Promise<void>>;
  callOff: AbortController;
  step: Observe<DestinationStep>;
  /** Begins a round before its time. */
  wake: () => void;
};

/** Starts nothing yet. */
export function createDestinationEngine(
  ctx: SendingPowers,
  settings: SendingSettings,
  observe: Observe<DestinationStep> = () => {},
): DestinationEngine {
  return {
    ctx,
    settings,
    heldLeases: new HeldLeases(ctx, "event_destinations"),
    inHand: new Map(),
    callOff: new AbortController(),
    step: observe,
    wake: () => {},
  };
}
