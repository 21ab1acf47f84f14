import { type EventCursor, type EventFilter, type EventPage, findEvent, readEventPage } from "#db/queries/events/read-events.ts";
import { bringFromOutbox } from "#db/queries/settlements/outbox.ts";
import { unlessNodeAway } from "#db/trouble.ts";
import type { Scope } from "#domain/access.ts";
import { compareEventPlaces, type EventAudience, type EventPlace, type PartnerEvent } from "#domain/event.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/** `write`: how a cursor is written for the partner. */
export type ListEvents = EventFilter & { after: EventCursor | null; limit: number; write: (cursor: EventCursor) => string };

/** `next`: where to go on. `isAtEnd`: there is nothing more just now. */
export type ListedEvents = { events: PartnerEvent[]; next: EventCursor; isAtEnd: boolean };

/**
 * A page of a partner's events, oldest first (contract, part 12). A reader that goes on from `next` sees each event once, whenever its
 * transaction committed.
 *
 * @throws Refusal `cursor_expired` (with `oldest_cursor`) when events after the cursor have been deleted
 */
export async function listEvents(ctx: Uses<"db">, { after, limit, write, ...filter }: ListEvents): Promise<ListedEvents> {
  // A reader finds what it has made, also on Citus. What is on a node that is away comes later.
  await unlessNodeAway(bringFromOutbox(ctx.db, filter.partnerId));
  const page = await readEventPage(ctx.db, filter, after, limit);
  const { epoch, floor, events, lookedUntil } = page;
  if (after !== null && floor !== null && compareEventPlaces(page.from, floor) < 0) {
    throw new Refusal("cursor_expired", {
      detail: "Events after this cursor are no longer kept.",
      members: { oldest_cursor: write({ epoch, place: floor }) },
    });
  }
  const isFull = events.length === limit;
  return { events, next: { epoch, place: nextPlace(page, isFull) }, isAtEnd: !isFull && lookedUntil === null };
}

function nextPlace({ events, from, lookedUntil, horizon }: EventPage, isFull: boolean): EventPlace {
  const last = events.at(-1)?.place;
  if (isFull && last !== undefined) return last;
  if (lookedUntil !== null) return lookedUntil;
  // All that is before the horizon was seen.
  const end = { position: horizon, version: 0, id: "" };
  return compareEventPlaces(from, end) < 0 ? end : from;
}

/** Quickly after a ring, because its transaction may have to wait for another's end; then ever more slowly. */
const FIRST_LOOK_MS = 25;
const SLOWEST_LOOK_MS = 1_000;

/** A database that hangs must not keep a caller longer than this beyond what it waits for. */
const LONGEST_LOOK_MS = 2_000;

/**
 * Waits, as long as it may, until there is an event after the cursor. Answers the cursor to read from: nothing is between it and the first
 * one. It holds no connection while it waits.
 *
 * @throws Refusal as {@link listEvents}; `temporarily_unavailable` where the database does not answer
 */
export async function awaitEvents(ctx: Uses<"db" | "eventBell">, query: ListEvents, waitMs: number): Promise<EventCursor | null> {
  const until = performance.now() + waitMs;
  let pauseMs = SLOWEST_LOOK_MS;
  let { after } = query;
  while (true) {
    const page = await inTime(listEvents(ctx, { ...query, after, limit: 1 }));
    const leftMs = until - performance.now();
    if (page.events.length > 0 || leftMs <= 0) return after;
    after = page.next;
    if (!page.isAtEnd) continue;
    const end = await ctx.eventBell.wait(query.partnerId, Math.min(leftMs, pauseMs));
    if (end === "refused") return after;
    pauseMs = end === "rung" ? FIRST_LOOK_MS : Math.min(pauseMs * 2, SLOWEST_LOOK_MS);
  }
}

async function inTime<Result>(reading: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Refusal("temporarily_unavailable")), LONGEST_LOOK_MS);
  });
  reading.catch(() => {});
  return await Promise.race([reading, patience]).finally(() => clearTimeout(timer));
}

/** @throws Refusal `event_not_found`, for another partner's as for one that never existed, and for what the key may not read. */
export async function readEvent(ctx: Uses<"db">, id: string, filter: Omit<EventFilter, "types">): Promise<PartnerEvent> {
  const event = isId("event", id) ? await findEvent(ctx.db, id, filter) : null;
  if (event === null) throw new Refusal("event_not_found");
  return event;
}

/** What a key's scopes let it see. @throws Refusal `scope_missing` where that is nothing. */
export function audiencesOf(scopes: readonly Scope[]): EventAudience[] {
  const audiences: EventAudience[] = [
    ...(scopes.includes("settlements:read") ? (["settlements"] as const) : []),
    ...(scopes.includes("partner:read") ? (["partner"] as const) : []),
  ];
  if (audiences.length > 0) return audiences;
  throw new Refusal("scope_missing", {
    detail: "The API key lacks the scopes settlements:read and partner:read: one of them is needed.",
    members: { required_scope: "settlements:read" },
  });
}
