import { z } from "zod";
import { instantParameter, plainText, timestamp } from "#contract/primitives.ts";
import { createdAt } from "#contract/shared-fields.ts";
import { toWire } from "#contract/wire.ts";
import { typesOf } from "#domain/event.ts";
import { DESTINATION_STATUSES, DESTINATION_TYPES, type EventDestination, MOST_DESTINATIONS } from "#domain/event-destination.ts";

/** Event destinations on the wire (contract, part 12). */

const patterns = z
  .array(
    plainText(1, 64).refine((pattern) => typesOf(pattern) !== null, {
      error: "must be a type of events, or all of one kind such as settlement.*",
    }),
  )
  .min(1)
  .max(50)
  .describe("Which events it gets: types, or all of one kind such as settlement.*");
const description = plainText(0, 256).describe("What your people will know it by");

export const createDestinationBody = z.strictObject({
  type: z
    .enum(DESTINATION_TYPES)
    .describe("webhook: each event is a POST to the URL; amqp: a persistent message to an exchange; nats: a message of a JetStream stream"),
  url: plainText(1, 2_048).describe(
    "A public host. webhook: https://…; amqp: amqps://USER:PASSWORD@HOST/VHOST?exchange=NAME (amq.topic when left out; the routing key is the type); nats: tls://USER:PASSWORD@HOST?subject=PREFIX (events when left out; then comes the type). Credentials are never shown again",
  ),
  types: patterns,
  description: description.optional(),
});

export const changeDestinationBody = z.strictObject({
  types: patterns.optional(),
  description: description.optional(),
  status: z.enum(DESTINATION_STATUSES).optional().describe("paused: events wait; active: it gets them, also those that have waited"),
});

export const replayBody = z.strictObject({
  from: instantParameter.describe("Events of this instant and later are sent again, as far as they are kept: ISO 8601 with its zone"),
});

export const destinationSchema = z.object({
  id: z.string().describe("The destination's id, de_…"),
  type: z.enum(DESTINATION_TYPES).describe("How it gets events"),
  url: z.string().describe("Where it gets them, without credentials"),
  types: z.array(z.string()).describe("Which events it gets: types, or all of one kind such as settlement.*"),
  description: z.string().describe("What your people know it by; empty when left out"),
  status: z.enum(DESTINATION_STATUSES).describe("active: it gets events; paused: they wait"),
  secret: z.string().optional().describe("What its requests are signed with, whsec_…; at creation, this once"),
  created_at: createdAt,
  last_delivered_at: timestamp.nullable().describe("When an event last reached it; null: none has"),
  failing_since: timestamp
    .nullable()
    .describe("When the first attempt failed that nothing has succeeded since; null: it works. A day later it is paused"),
  last_error: z.string().nullable().describe("Why the last attempt failed; null: it did not"),
  next_attempt_at: timestamp.nullable().describe("When it is tried again; null: as soon as there is an event"),
  paused_at: timestamp.nullable().describe("When it was paused; null: it is active"),
  last_test: z
    .object({
      asked_at: timestamp.describe("When it was asked for"),
      ended_at: timestamp.nullable().describe("When it ended; null: it is under way"),
      delivered: z.boolean().nullable().describe("Whether it was delivered; null: it is under way"),
      error: z.string().nullable().describe("Why it was not delivered; null: it was, or is under way"),
    })
    .nullable()
    .describe("The last test event; null: there was none"),
});

export const destinationListSchema = z.object({
  data: z.array(destinationSchema).describe(`All of them, the oldest first: ${MOST_DESTINATIONS} at most`),
});

/** `secret`: right after it was created. */
export function renderDestination(destination: EventDestination, secret?: string): z.infer<typeof destinationSchema> {
  const { test } = destination;
  return {
    ...toWire(destination, "id", "type", "url", "types", "description", "status"),
    ...(secret === undefined ? {} : { secret }),
    ...toWire(destination, "createdAt", "lastDeliveredAt", "failingSince", "lastError", "nextAttemptAt", "pausedAt"),
    last_test: test && { asked_at: test.askedAt, ended_at: test.endedAt, delivered: test.delivered, error: test.error },
  };
}
