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
  .describe("The types of event to send. A pattern such as settlement.* means all types of one object");
const description = plainText(0, 256).describe("A description for your own people");

export const createDestinationBody = z.strictObject({
  type: z
    .enum(DESTINATION_TYPES)
    .describe(
      "How events are sent. webhook: each event is a POST to the URL. amqp: each event is a persistent message to an exchange. nats: each event is a message in a JetStream stream",
    ),
  url: plainText(1, 2_048).describe(
    "The address, on a public host. webhook: https://… amqp: amqps://USER:PASSWORD@HOST/VHOST?exchange=NAME; the default exchange is amq.topic, and the routing key is the event's type. nats: tls://USER:PASSWORD@HOST?subject=PREFIX; the default prefix is events, and the event's type follows it. Credentials are never shown again",
  ),
  types: patterns,
  description: description.optional(),
});

export const changeDestinationBody = z.strictObject({
  types: patterns.optional(),
  description: description.optional(),
  status: z.enum(DESTINATION_STATUSES).optional().describe("paused: events wait. active: events are sent, including those that waited"),
});

export const replayBody = z.strictObject({
  from: instantParameter.describe("Events from this instant on are sent again, if they are still kept. ISO 8601 with a time zone"),
});

export const destinationSchema = z.object({
  id: z.string().describe("The destination's id. It begins with de_"),
  type: z.enum(DESTINATION_TYPES).describe("How events are sent: webhook, amqp or nats"),
  url: z.string().describe("The address that events are sent to, without credentials"),
  types: z.array(z.string()).describe("The types of event to send. A pattern such as settlement.* means all types of one object"),
  description: z.string().describe("The description for your own people. Empty if none was given"),
  status: z.enum(DESTINATION_STATUSES).describe("active: events are sent. paused: events wait"),
  secret: z
    .string()
    .optional()
    .describe("The secret that signs the requests. It begins with whsec_. Present only in the answer to the creation"),
  created_at: createdAt,
  last_delivered_at: timestamp.nullable().describe("When an event was last delivered. Null if none has been"),
  failing_since: timestamp
    .nullable()
    .describe(
      "When the current series of failures began. After a day of failures the destination is paused. Null if the last attempt succeeded",
    ),
  last_error: z.string().nullable().describe("Why the last attempt failed. Null if it did not fail"),
  next_attempt_at: timestamp.nullable().describe("When the next attempt is due after a failure. Null if the next event is sent at once"),
  paused_at: timestamp.nullable().describe("When the destination was paused. Null if it is active"),
  last_test: z
    .object({
      asked_at: timestamp.describe("When the test was requested"),
      ended_at: timestamp.nullable().describe("When the test ended. Null while it is in progress"),
      delivered: z.boolean().nullable().describe("Whether the test event was delivered. Null while the test is in progress"),
      error: z.string().nullable().describe("Why the test event was not delivered. Null if it was, or while the test is in progress"),
    })
    .nullable()
    .describe("The last test event. Null if there was none"),
});

export const destinationListSchema = z.object({
  data: z.array(destinationSchema).describe(`All event destinations, oldest first. There can be ${MOST_DESTINATIONS} at most`),
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
