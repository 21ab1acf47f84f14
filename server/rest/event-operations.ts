import { getEventOperation, listEventsOperation } from "#contract/settlement/v1/event-operations.ts";
import { readEventCursor, readTypes, renderEvent, writeEventCursor } from "#contract/settlement/v1/events.ts";
import { audiencesOf, awaitEvents, readEvent } from "#server/services/events/read-events.ts";
import { type Binding, bind, bindAfter } from "./bind.ts";

/** The operations of events (contract, part 12). */

const DEFAULT_LIMIT = 25;

export const EVENTS: readonly Binding[] = [
  bindAfter(
    listEventsOperation,
    // Outside of any transaction, and off the request's clock: here it may wait.
    async (ctx, { query, partnerId, scopes }) => {
      const { types, cursor, limit = DEFAULT_LIMIT, wait = 0 } = query;
      const write = (place: Parameters<typeof writeEventCursor>[1]) => writeEventCursor(partnerId, place);
      const after = readEventCursor(partnerId, cursor);
      const filter = { partnerId, audiences: audiencesOf(scopes), types: readTypes(types) };
      const { events, next } = await awaitEvents(ctx, { ...filter, after, limit, write }, wait * 1_000);
      return { data: events.map(renderEvent), next_cursor: write(next) };
    },
    async (_ctx, _call, body) => ({ body }),
  ),
  bind(getEventOperation, async (ctx, { params, partnerId, scopes }) => ({
    body: renderEvent(await readEvent(ctx, params.event_id, { partnerId, audiences: audiencesOf(scopes) })),
  })),
];
