import { RETRY_DELAYS_SECONDS, type UrlVerdict } from "./callback.ts";
import { EVENT_TYPE_NAMES, type EventAudience, type EventPlace, type EventType, typesOf } from "./event.ts";

/** Where a partner has its events sent (contract, part 12). */

export const DESTINATION_TYPES = ["webhook", "amqp", "nats"] as const;
export type DestinationType = (typeof DESTINATION_TYPES)[number];
export type BrokerType = Exclude<DestinationType, "webhook">;

/** An event for a broker. `headers`: with its signature. */
export type BrokerMessage = { id: string; type: string; body: string; headers: Readonly<Record<string, string>> };

/** An open connection. `send` answers why the broker did not confirm the event; null: it did. Neither throws. */
export type BrokerLink = { send(message: BrokerMessage): Promise<string | null>; close(): Promise<void> };

/** Partners' brokers: AMQP 0-9-1 with publisher confirms, and NATS JetStream. Hosts are judged as those of callback URLs. */
export type Brokers = {
  /** Whether such a URL may be connected to, as far as is known now. */
  judge(type: BrokerType, url: string): Promise<UrlVerdict>;
  /** Connects within its own deadline, to a judged address. Answers why not as a text. Never throws. */
  open(type: BrokerType, url: string): Promise<BrokerLink | string>;
};

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

/** A broker that restarts is back within seconds. */
const BROKER_DELAYS_SECONDS = [1, 2, 5, 10, 30, 60, 300] as const;

/**
 * What follows a failure, the one of that number since the place last moved: the delays of callbacks, or shorter ones for brokers, the last
 * one again and again, and a last try a day after the first failure. null: the destination is paused.
 */
export function afterFailure(type: DestinationType, failures: number, failingSince: Date, now: Date): Date | null {
  const end = failingSince.getTime() + PAUSED_AFTER_MS;
  if (now.getTime() >= end) return null;
  const delays = type === "webhook" ? RETRY_DELAYS_SECONDS : BROKER_DELAYS_SECONDS;
  const delaySeconds = delays[Math.min(failures, delays.length) - 1] ?? 0;
  return new Date(Math.min(now.getTime() + delaySeconds * 1_000, end));
}
