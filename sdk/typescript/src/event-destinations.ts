import type { Asked, Body, Intent, Result, Sender } from "./sender.ts";

export type EventDestinations = ReturnType<typeof eventDestinationsOf>;

/** The operations of event destinations, as the client has them. */
export function eventDestinationsOf(sender: Sender) {
  return {
    /** The answer contains the secret that `verifyEvent` needs; for a day, the same `intent` returns it again. */
    create: (body: Body<"create_event_destination">, asked: Intent & Asked): Promise<Result<"create_event_destination">> =>
      sender.callAs("create_event_destination", { body }, asked),
    list: async (asked: Asked = {}): Promise<Result<"list_event_destinations">["data"]> =>
      (await sender.call("list_event_destinations", {}, asked)).data,
    get: (id: string, asked: Asked = {}): Promise<Result<"get_event_destination">> =>
      sender.call("get_event_destination", { params: { destination_id: id } }, asked),
    /** Paused, it keeps its place; active again, it gets everything that has waited. */
    update: (id: string, body: Body<"change_event_destination">, asked: Asked = {}): Promise<Result<"change_event_destination">> =>
      sender.call("change_event_destination", { params: { destination_id: id }, body }, asked),
    delete: async (id: string, asked: Asked = {}): Promise<void> => {
      await sender.call("delete_event_destination", { params: { destination_id: id } }, asked);
    },
    /** Sends a test event. How it ended is in `last_test` of `get`. */
    test: (id: string, asked: Asked = {}): Promise<Result<"test_event_destination">> =>
      sender.call("test_event_destination", { params: { destination_id: id }, body: {} }, asked),
    /** Sends everything from that moment on again, under the same ids. */
    replay: (id: string, body: Body<"replay_event_destination">, asked: Asked = {}): Promise<Result<"replay_event_destination">> =>
      sender.call("replay_event_destination", { params: { destination_id: id }, body }, asked),
  };
}
