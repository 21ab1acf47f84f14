import { renderTopup, renderWithdrawal } from "#contract/partner/fiat-answers.ts";
import { renderMember } from "#contract/partner/member.ts";
import { renderBatch } from "#contract/settlement/v1/batches.ts";
import { renderAnyCallback } from "#contract/settlement/v1/callbacks.ts";
import { renderDestination } from "#contract/settlement/v1/event-destinations.ts";
import { renderEvent } from "#contract/settlement/v1/events.ts";
import { renderSettlement } from "#contract/settlement/v1/settlement.ts";
import type { Callback } from "#domain/callback.ts";
import { audienceOfSubject, type EventType, type NewEvent, type PartnerEvent } from "#domain/event.ts";
import type { EventDestination } from "#domain/event-destination.ts";
import type { FiatStatus, OrderFacts } from "#domain/fiat.ts";
import type { Member } from "#domain/member.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { TalliedBatch } from "#domain/settlement-batch.ts";
import { type Topup, topupStatus } from "#domain/topup.ts";
import type { Waiting } from "#domain/transfer.ts";
import { type PayoutWait, type Withdrawal, withdrawalStatus } from "#domain/withdrawal.ts";

/** What the GET of a settlement shows besides its own row. */
type ShownBeside = { waiting?: Waiting | null; undelivered?: readonly Callback[] };

type Of<Noun extends string> = Extract<EventType, `${Noun}.${string}`>;

/** The event of a settlement's change: it is as its GET answers it from now on. */
export function settlementEvent(
  type: Of<"settlement">,
  settlement: Settlement,
  at: Date,
  { waiting = null, undelivered = [] }: ShownBeside = {},
): NewEvent {
  const data = renderSettlement(settlement, undelivered, waiting);
  return { type, objectId: settlement.id, partnerId: settlement.partnerId, audience: "settlements", at, data };
}

/** As {@link settlementEvent}, of a batch. */
export function batchEvent(type: Of<"batch">, batch: TalliedBatch, at: Date): NewEvent {
  return { type, objectId: batch.id, partnerId: batch.partnerId, audience: "settlements", at, data: renderBatch(batch) };
}

/** The event of an order's status (`pending` is what it is created with), or of its cancellation. `wait`: why it waits at that moment. */
export function withdrawalEvent(withdrawal: Withdrawal, at: Date, wait: PayoutWait | null = null): NewEvent {
  const { id: objectId, partnerId } = withdrawal;
  const type = `withdrawal.${movedTo(withdrawal, withdrawalStatus(withdrawal))}` as const;
  return { type, objectId, partnerId, audience: "partner", at, data: renderWithdrawal(withdrawal, { wait }) };
}

/** As {@link withdrawalEvent}, of a top-up. */
export function topupEvent(topup: Topup, at: Date): NewEvent {
  const type = `topup.${movedTo(topup, topupStatus(topup))}` as const;
  return { type, objectId: topup.id, partnerId: topup.partnerId, audience: "partner", at, data: renderTopup(topup) };
}

const MOVED = { pending: "created", processing: "processing", completed: "completed", failed: "failed" } as const;

function movedTo({ cancelledAt }: Pick<OrderFacts, "cancelledAt">, status: FiatStatus) {
  return cancelledAt === null ? MOVED[status] : "cancelled";
}

/** The event of a callback that was given up after its last attempt. */
export function callbackEvent(callback: Callback, at: Date): NewEvent {
  const { id: objectId, partnerId, subjectId } = callback;
  return {
    type: "callback.undelivered",
    objectId,
    partnerId,
    audience: audienceOfSubject(subjectId),
    at,
    data: renderAnyCallback(callback),
  };
}

/** The event of a member whose Safe is there, or will not come. */
export function memberEvent(type: Of<"member">, member: Member, at: Date): NewEvent {
  return { type, objectId: member.id, partnerId: member.partnerId, audience: "partner", at, data: renderMember(member) };
}

/** The event of a destination that the service has paused. */
export function destinationEvent(destination: EventDestination, at: Date): NewEvent {
  const { id: objectId, partnerId } = destination;
  return { type: "destination.paused", objectId, partnerId, audience: "partner", at, data: renderDestination(destination) };
}

/** An event as its GET answers it, for a destination. */
export function eventBody(event: PartnerEvent): string {
  return JSON.stringify(renderEvent(event));
}
