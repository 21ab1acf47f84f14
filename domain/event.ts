import { isId } from "./ids.ts";

/** What partners can follow (contract, part 12): one list, which OpenAPI, SDKs and documentation are made from. */
export const EVENT_TYPES = {
  "settlement.created": "A settlement was created, with its quote",
  "settlement.approved": "An operator approved the settlement, at a new price",
  "settlement.rejected": "An operator rejected the settlement, or the time for a decision ran out",
  "settlement.confirmed": "The partner confirmed the settlement, and its payment is now owed",
  "settlement.cancelled": "The settlement was cancelled before it was confirmed",
  "settlement.held": "The settlement's payment is held until the operator's people decide",
  "settlement.released": "The settlement's payment is no longer held, and continues",
  "settlement.executed": "The settlement was paid. The payment is final on the chain",
  "settlement.failed": "The settlement failed. Nothing was paid, and nothing will be",
  "batch.created": "A batch was created, with the quotes of its items",
  "batch.approved": "An operator approved all items of the batch",
  "batch.rejected": "An operator rejected the batch, or the time for a decision ran out",
  "batch.confirmed": "All items of the batch were confirmed",
  "batch.cancelled": "The batch was cancelled with all of its items",
  "batch.completed": "Every item of the batch has ended",
  "withdrawal.created": "A withdrawal was requested",
  "withdrawal.processing": "The withdrawal has reached its next step",
  "withdrawal.completed": "The provider has paid the fiat of the withdrawal",
  "withdrawal.failed": "The withdrawal failed. No fiat was paid, and none will be",
  "withdrawal.cancelled": "The partner cancelled the withdrawal before anything moved",
  "topup.created": "A top-up was requested",
  "topup.processing": "The top-up has reached its next step",
  "topup.completed": "The crypto has arrived in the member's wallet, final on the chain",
  "topup.failed": "The top-up failed. No crypto was sent, and none will be",
  "topup.cancelled": "The partner cancelled the top-up before anything moved",
  "member.safe_deployed": "The member's Safe is on the chain",
  "member.safe_failed": "The member's Safe could not be deployed",
  "callback.undelivered": "A callback could not be delivered in six attempts",
  "destination.paused": "An event destination was paused after a day of failures, or because its key was revoked",
} as const;

export type EventType = keyof typeof EVENT_TYPES;

/** In the order of the list. */
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as [EventType, ...EventType[]];

export const EVENT_OBJECTS = ["settlement", "batch", "withdrawal", "topup", "member", "callback", "destination"] as const;
export type EventObject = (typeof EVENT_OBJECTS)[number];

/** What a key's scope must be to see an event: `settlements` is `settlements:read`, `partner` is `partner:read`. */
export const EVENT_AUDIENCES = ["settlements", "partner"] as const;
export type EventAudience = (typeof EVENT_AUDIENCES)[number];

/** An event before it has its version, which the database counts for each object. `data`: what the object's GET answers. */
export type NewEvent = { type: EventType; objectId: string; partnerId: string; audience: EventAudience; at: Date; data: unknown };

/** A change that a partner may know of. */
export type PartnerEvent = {
  id: string;
  type: EventType;
  createdAt: Date;
  objectType: EventObject;
  objectId: string;
  version: number;
  data: Record<string, unknown>;
};

/** A place in the order of a partner's events. */
export type EventPlace = { position: bigint; version: number; id: string };

/** So long events are kept at least. */
export const EVENTS_KEPT_DAYS = 30;

/** Whose scope a callback takes: that of the object that it is about. */
export function audienceOfSubject(subjectId: string): EventAudience {
  return isId("settlement", subjectId) || isId("batch", subjectId) ? "settlements" : "partner";
}

export function objectOf(type: EventType): EventObject {
  const [noun] = type.split(".");
  const object = EVENT_OBJECTS.find((each) => each === noun);
  if (object === undefined) throw new Error(`${type} is of no object`);
  return object;
}

/** The types that a pattern names: one of them, or all of an object (`settlement.*`); null: it names none. */
export function typesOf(pattern: string): EventType[] | null {
  const named = EVENT_TYPE_NAMES.filter((type) => type === pattern || (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1))));
  return named.length === 0 ? null : named;
}

/** Waits for a partner's events. `rung`: there may be some; `quiet`: the time is over; `refused`: too many wait, or the process ends. */
export type EventBell = { wait(partnerId: string, ms: number): Promise<"rung" | "quiet" | "refused"> };

/** -1, 0 or 1: the order of events. */
export function compareEventPlaces(left: EventPlace, right: EventPlace): number {
  if (left.position !== right.position) return left.position < right.position ? -1 : 1;
  if (left.version !== right.version) return left.version < right.version ? -1 : 1;
  return left.id === right.id ? 0 : left.id < right.id ? -1 : 1;
}
