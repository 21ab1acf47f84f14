import { RETRY_DELAYS_SECONDS } from "./callback.ts";
import { EVENT_TYPE_NAMES, type EventAudience, type EventPlace, type EventType, typesOf } from "./event.ts";

/** Where a partner has its events sent (contract, part 12). */

export const DESTINATION_TYPES = ["webhook"] as const;
export type DestinationType = (typeof DESTINATION_TYPES)[number];

export const DESTINATION_STATUSES = ["active", "paused"] as const;
export type DestinationStatus = (typeof DESTINATION_STATUSES)[number];

/** So many a partner may have. */
export const MOST_DESTINATIONS = 10;

/** How a test event ended. `endedAt` null: it is under way. */
export type DestinationTest = { askedAt: string; endedAt: string | null; delivered: boolean | null; error: string | null };

export type EventDestination = {
  id: string;
  partnerId: string;
  /** The key that created it: its secret signs the mirrored scheme. */
  apiKeyId: string;
  type: DestinationType;
  /** Without credentials. */
  url: string;
  /** The URL with its credentials; null: it has none. */
  sealedUrl: string | null;
  sealedSecret: string;
  /** As the partner wrote them: types, or all of an object (`settlement.*`). */
  types: string[];
  /** What the key that created it may see. */
  audiences: EventAudience[];
  description: string;
  status: DestinationStatus;
  /** The line of the database's history, and the place in it, up to which everything is delivered. */
  epoch: number;
  place: EventPlace;
  /** Ids of events after that place that are delivered already. */
  ahead: string[];
  /** Failures since the place last moved. */
  failures: number;
  failingSince: Date | null;
  lastError: string | null;
  lastDeliveredAt: Date | null;
  pausedAt: Date | null;
  /** Business time of the next try after a failure; null: as soon as there is an event. */
  nextAttemptAt: Date | null;
  test: DestinationTest | null;
  createdAt: Date;
};

/** The types that patterns name; null: all of them. */
export function typesOfAll(patterns: readonly string[]): EventType[] | null {
  const named = new Set(patterns.flatMap((pattern) => typesOf(pattern) ?? []));
  return named.size === EVENT_TYPE_NAMES.length ? null : [...named];
}

/** A destination that has failed for so long is paused. */
const PAUSED_AFTER_MS = 86_400_000;
const LONGEST_DELAY_SECONDS = 43_200;

/**
 * What follows a failure, the one of that number since the place last moved: the delays of callbacks, the last one again and again, and
 * a last try a day after the first failure. null: the destination is paused.
 */
export function afterFailure(failures: number, failingSince: Date, now: Date): Date | null {
  const end = failingSince.getTime() + PAUSED_AFTER_MS;
  if (now.getTime() >= end) return null;
  const delaySeconds = RETRY_DELAYS_SECONDS[failures - 1] ?? LONGEST_DELAY_SECONDS;
  return new Date(Math.min(now.getTime() + delaySeconds * 1_000, end));
}
