import type { z } from "zod";
import { EVENT_OBJECTS, EVENT_TYPE_NAMES, EVENT_TYPES, type EventObject, type EventType, objectOf } from "#domain/event.ts";
import { type JsonSchema, jsonSchemas } from "./json-schemas.ts";

/** What an event's `data` is, by its object: the name and schema of what the object's GET answers. */
export type EventData = Readonly<Record<EventObject, { name: string; schema: z.ZodType }>>;

/** The three ways of a destination. `address`: where a message of an event goes; null: the URL is the partner's own. */
const WAYS = {
  webhook: { protocol: "https", address: null, how: "Each event is a POST to your URL. Any 2xx acknowledges it." },
  amqp: {
    protocol: "amqps",
    address: "{type}",
    how: "Each event is a persistent message to your exchange, with the type as routing key and the event's id as `message_id`. The broker confirms it.",
  },
  nats: {
    protocol: "nats",
    address: "{subject}.{type}",
    how: "Each event is a message of a JetStream stream, with the event's id as `Nats-Msg-Id`. The stream acknowledges it.",
  },
} as const;

/** The AsyncAPI 3.0 document of events and their destinations, made of the list of types and the schemas of the answers. */
export function asyncApiDocument(about: { baseUrl: string; brand: string }, data: EventData): JsonSchema {
  const named = Object.fromEntries(Object.values(data).map(({ name, schema }) => [name, schema]));
  const { components } = jsonSchemas(named, []);
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Events",
      version: "1",
      description:
        "Every change that you may know of, sent to your event destinations: at least once, in order for each object, under the same id. New types and new members may come.",
      externalDocs: { url: `${about.baseUrl}/docs/follow`, description: "How to receive and verify events" },
    },
    defaultContentType: "application/json",
    servers: mapped(WAYS, ({ protocol, how }) => ({ host: "{host}", protocol, description: how, variables: { host: HOST } })),
    channels: mapped(WAYS, ({ address, how }, way) => ({
      address,
      description: how,
      servers: [{ $ref: `#/servers/${way}` }],
      messages: Object.fromEntries(EVENT_TYPE_NAMES.map((type) => [type, { $ref: `#/components/messages/${type}` }])),
      ...(address === null ? {} : { parameters: parametersOf(address) }),
    })),
    operations: mapped(WAYS, (_, way) => ({
      action: "send",
      channel: { $ref: `#/channels/${way}` },
      summary: "The service sends an event to your destination",
    })),
    components: {
      messages: Object.fromEntries(EVENT_TYPE_NAMES.map((type) => [type, messageOf(type, data[objectOf(type)].name)])),
      schemas: { EventHeaders: headersOf(about.brand), ...components },
    },
  };
}

const HOST = { default: "events.partner.example", description: "The host of your destination" };

function parametersOf(address: string): Record<string, object> {
  const type = { description: "The type of the event", enum: EVENT_TYPE_NAMES };
  const subject = { default: "events", description: "The `subject` of your destination's URL" };
  return { ...(address.includes("{subject}") ? { subject } : {}), type };
}

function messageOf(type: EventType, data: string): object {
  const text = (description: string, more: object = {}) => ({ type: "string", description, ...more });
  return {
    name: type,
    title: type,
    summary: EVENT_TYPES[type],
    contentType: "application/json",
    correlationId: { location: "$message.header#/webhook-id", description: "The event's id, the same in every attempt" },
    headers: { $ref: "#/components/schemas/EventHeaders" },
    payload: {
      type: "object",
      required: ["id", "type", "created_at", "object_type", "object_id", "version", "data"],
      properties: {
        id: text("The event's id, ev_…: what you have seen you ignore"),
        type: text("What has happened", { const: type }),
        created_at: text("When it happened", { format: "date-time" }),
        object_type: text("What it has happened to", { const: objectOf(type), enum: EVENT_OBJECTS }),
        object_id: text("Its id"),
        version: {
          type: "integer",
          format: "int64",
          minimum: 1,
          description: "Rises by one for each event of the object: ignore an older one",
        },
        data: { $ref: `#/components/schemas/${data}` },
      },
    },
  };
}

function headersOf(brand: string): JsonSchema {
  const text = (description: string) => ({ type: "string", description });
  return {
    type: "object",
    required: ["webhook-id", "webhook-timestamp", "webhook-signature"],
    properties: {
      "webhook-id": text("The event's id"),
      "webhook-timestamp": text("Unix epoch seconds of this attempt"),
      "webhook-signature": text("Standard Webhooks: `v1,` and base64 HMAC-SHA256 under the destination's own secret"),
      [`X-${brand}-Timestamp`]: text("Webhooks only: as on requests, Unix epoch seconds"),
      [`X-${brand}-Nonce`]: text("Webhooks only: a UUIDv4"),
      [`X-${brand}-Signature`]: text("Webhooks only: the five components as on requests, under the API secret"),
    },
  };
}

function mapped<Key extends string, Value>(from: Readonly<Record<Key, Value>>, to: (value: Value, key: Key) => object): object {
  return Object.fromEntries((Object.entries(from) as [Key, Value][]).map(([key, value]) => [key, to(value, key)]));
}
