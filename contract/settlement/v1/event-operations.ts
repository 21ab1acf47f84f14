import { z } from "zod";
import { defineOperation } from "#contract/operation.ts";
import { eventListSchema, eventSchema, listEventsQuery } from "./events.ts";

/** Events, operation by operation (contract, part 12). A key sees what its scopes let it read. */

const read = { method: "GET", caller: "signed", scope: null, kind: "read" } as const;

export const listEventsOperation = defineOperation({
  ...read,
  id: "list_events",
  summary: "List events, oldest first. The request can wait for the next one",
  path: "/api/v1/events",
  query: listEventsQuery,
  result: eventListSchema,
  refusals: ["scope_missing", "cursor_expired"],
});

export const getEventOperation = defineOperation({
  ...read,
  id: "get_event",
  summary: "Get an event",
  path: "/api/v1/events/{event_id}",
  params: z.strictObject({ event_id: z.string().describe("The event's id. It begins with ev_") }),
  result: eventSchema,
  refusals: ["scope_missing", "event_not_found"],
});
