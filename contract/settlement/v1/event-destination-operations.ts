import { z } from "zod";
import { defineOperation } from "#contract/operation.ts";
import {
  changeDestinationBody,
  createDestinationBody,
  destinationListSchema,
  destinationSchema,
  replayBody,
} from "./event-destinations.ts";

/** Event destinations, operation by operation (contract, part 12). Every request is signed. */

const signed = { caller: "signed", scope: "partner:write" } as const;
const oneDestination = z.strictObject({ destination_id: z.string().describe("The destination's id. It begins with de_") });
const one = { ...signed, params: oneDestination, refusals: ["destination_not_found"] } as const;

export const createDestinationOperation = defineOperation({
  ...signed,
  kind: "write",
  id: "create_event_destination",
  summary: "Create an event destination",
  method: "POST",
  path: "/api/v1/event-destinations",
  body: createDestinationBody,
  result: destinationSchema,
  status: 201,
  secret: true,
  resultHeaders: { Location: "The destination's path" },
  refusals: ["callback_url_not_allowed", "conflict"],
});

export const listDestinationsOperation = defineOperation({
  ...signed,
  kind: "read",
  id: "list_event_destinations",
  summary: "List event destinations",
  method: "GET",
  path: "/api/v1/event-destinations",
  result: destinationListSchema,
});

export const getDestinationOperation = defineOperation({
  ...one,
  kind: "read",
  id: "get_event_destination",
  summary: "Get an event destination",
  method: "GET",
  path: "/api/v1/event-destinations/{destination_id}",
  result: destinationSchema,
});

export const changeDestinationOperation = defineOperation({
  ...one,
  kind: "write",
  id: "change_event_destination",
  summary: "Change, pause or resume an event destination",
  method: "PATCH",
  path: "/api/v1/event-destinations/{destination_id}",
  body: changeDestinationBody,
  result: destinationSchema,
});

export const deleteDestinationOperation = defineOperation({
  ...one,
  kind: "write",
  id: "delete_event_destination",
  summary: "Delete an event destination",
  method: "DELETE",
  path: "/api/v1/event-destinations/{destination_id}",
  result: z.undefined(),
  status: 204,
});

export const testDestinationOperation = defineOperation({
  ...one,
  kind: "write",
  id: "test_event_destination",
  summary: "Send a test event. The result is in last_test",
  method: "POST",
  path: "/api/v1/event-destinations/{destination_id}/test",
  body: z.strictObject({}),
  bodyRequired: false,
  result: destinationSchema,
  status: 202,
});

export const replayDestinationOperation = defineOperation({
  ...one,
  kind: "write",
  id: "replay_event_destination",
  summary: "Send events again, from a given instant on",
  method: "POST",
  path: "/api/v1/event-destinations/{destination_id}/replay",
  body: replayBody,
  result: destinationSchema,
  status: 202,
});
