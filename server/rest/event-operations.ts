import { getEventOperation, listEventsOperation } from "#contract/settlement/v1/event-operations.ts";
import { readEventCursor, readTypes, renderEvent, writeEventCursor } from "#contract/settlement/v1/events.ts";
import { audiencesOf, awaitEvents, listEvents, readEvent } from "#server/services/events/read-events.ts";
import { type Binding, bind, bindAfter } from "./bind.ts";

/** The operations of events (contract, part 12). */

const DEFAULT_LIMIT = 25;
type EventCursor = Parameters<typeof writeEventCursor>[1];

export const EVENTS: readonly Binding[] = [
  bindAfter(
    listEventsOperation,
    // Outside of any transaction, and off the request's clock: here it may wait. The page itself is read with the nonce and the key's rights.
    async (ctx, { query, partnerId, scopes }) => {
      const { types, cursor, limit = DEFAULT_LIMIT, wait = 0 } = query;
      const write = (place: EventCursor) => writeEventCursor(partnerId, place);
      const filter = { partnerId, audiences: audiencesOf(scopes), types: readTypes(types) };
      const asked = { ...filter, after: readEventCursor(partnerId, cursor), limit, write };
      return wait === 0 ? asked : { ...asked, after: await awaitEvents(ctx, asked, wait * 1_000) };
    },
    async (ctx, _call, asked) => {
      const { events, next } = await listEvents(ctx, asked);
      return { body: { data: events.map(renderEvent), next_cursor: asked.write(next) } };
    },
  ),
  bind(getEventOperation, async (ctx, { params, partnerId, scopes }) => ({
    body: renderEvent(await readEvent(ctx, params.event_id, { partnerId, audiences: audiencesOf(scopes) })),
  })),
];
