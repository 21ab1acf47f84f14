import { type NewEvent, objectOf } from "#domain/event.ts";
import { newId } from "#domain/ids.ts";
import { keepData } from "#domain/kept-event.ts";

/** An event as a row, without its place in the order of events. */
export function eventRow({ at, data, ...event }: NewEvent) {
  return { ...event, data: keepData(objectOf(event.type), data), id: newId("event", at), createdAt: at };
}
