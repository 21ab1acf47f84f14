import type { EventObject } from "./event.ts";

/** What an event shows, as the database keeps it: an object, or a settlement's values without their names and then all other fields. */
export type KeptData = Record<string, unknown> | readonly unknown[];

/**
 * The fields of a settlement that are kept by their places. Rows of every release rest on this order: it never changes. A field that a
 * later release adds is kept by its name.
 */
export const PLACES = [
  "tx_id",
  "batch_id",
  "external_tx_id",
  "status",
  "approval_state",
  "source_amount",
  "source_currency",
  "destination_currency",
  "external_merchant_id",
  "chain",
  "wallet_address",
  "destination_amount",
  "platform_fee",
  "exchange_rate",
  "rate_unit",
  "expires_at",
  "callback_url",
  "metadata",
  "updated_at",
  "created_at",
  "confirmed_at",
  "cancelled_at",
  "approval_decided_at",
  "rejection_reason",
  "waiting_reason",
  "waiting_since",
  "undelivered_callbacks",
] as const;
const PLACED: ReadonlySet<string> = new Set(PLACES);

/** A settlement's three events are most of all events, and the names of its fields more than half of each. Whatever lacks a field stays as it is. */
export function keepData(object: EventObject, data: unknown): KeptData {
  const whole = Object(data) as Record<string, unknown>;
  if (object !== "settlement" || PLACES.some((name) => whole[name] === undefined)) return whole;
  const others = Object.entries(whole).filter(([name]) => !PLACED.has(name));
  return [...PLACES.map((name) => whole[name]), ...(others.length === 0 ? [] : [Object.fromEntries(others)])];
}

/** What {@link keepData} has kept, with the names of all fields. Takes both forms. */
export function dataOf(kept: KeptData): Record<string, unknown> {
  if (!isByPlaces(kept)) return kept;
  return { ...Object.fromEntries(PLACES.map((name, place) => [name, kept[place]])), ...Object(kept[PLACES.length]) };
}

const isByPlaces = (kept: KeptData): kept is readonly unknown[] => Array.isArray(kept);
