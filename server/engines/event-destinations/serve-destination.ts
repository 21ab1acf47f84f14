import { type ClaimedDestination, keepProgress, saveTest } from "#db/queries/events/destinations.ts";
import { type EventPage, readEventPage } from "#db/queries/events/read-events.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { compareEventPlaces, type PartnerEvent } from "#domain/event.ts";
import { type EventDestination, typesOfAll } from "#domain/event-destination.ts";
import { type EventSender, openSender, sampleEvent } from "#server/services/event-destinations/send-event.ts";
import { type Sent, settleDestination } from "#server/services/event-destinations/settle-destination.ts";
import type { DestinationEngine } from "./engine.ts";

/** So many events are read at once, and so many are under way to a receiver, of different objects. */
const WEBHOOKS = { page: 100, atOnce: 8 };
const BROKERS = { page: 1_000, atOnce: 500 };
/** After that no further event is begun: others want the place too. */
const LONGEST_MS = 20_000;

/**
 * Sends a destination its test, if one was asked for, and then its events, page by page. Writes after each page how far it has come, and
 * gives it back at the end.
 */
export async function serveDestination(engine: DestinationEngine, claimed: ClaimedDestination): Promise<void> {
  const { destination, lease, isDue } = claimed;
  const { ctx, callOff, heldLeases } = engine;
  const { send, close } = await senderOf(engine, destination);
  let sent: Sent | "lost" | null = null;
  try {
    await sendTest(engine, claimed, send);
    if (isDue) sent = await sendPages(engine, claimed, send);
  } finally {
    await close();
  }
  engine.step("sent", destination.id);
  if (sent === "lost") return;
  if (sent !== null && (sent.isDelivered || sent.error !== null)) {
    const { id: destination_id, partnerId: partner_id, type } = destination;
    ctx.log.info({ destination_id, partner_id, type, error: sent.error }, "events sent to a destination");
  }
  // Called off: whatever did not arrive has not failed.
  if (sent === null || (callOff.signal.aborted && sent.error !== null)) return await heldLeases.releaseAll([lease]);
  await settleDestination(ctx, lease, sent);
  engine.step("written", destination.id);
}

/** Our own faults fail the attempt: the destination is tried again later, and not at once. */
async function senderOf({ ctx, settings }: DestinationEngine, destination: EventDestination): Promise<EventSender> {
  const fail = (error: unknown) => {
    ctx.log.error({ error, destination_id: destination.id }, "an event could not be sent");
    return "The event could not be sent because of an internal error.";
  };
  try {
    const { send, close } = await openSender(ctx, destination, settings);
    return { send: (...event) => send(...event).catch(fail), close: () => close().catch(() => {}) };
  } catch (error) {
    const failed = fail(error);
    return { send: async () => failed, close: async () => {} };
  }
}

async function sendTest(
  { ctx, callOff }: DestinationEngine,
  { destination, lease }: Pick<ClaimedDestination, "destination" | "lease">,
  send: EventSender["send"],
): Promise<void> {
  const { test } = destination;
  if (test === null || test.endedAt !== null) return;
  const error = await send(sampleEvent(destination, await readBusinessNow(ctx.db)), callOff.signal);
  if (callOff.signal.aborted) return;
  const endedAt = (await readBusinessNow(ctx.db)).toISOString();
  await saveTest(ctx.db, lease, { ...test, endedAt, delivered: error === null, error });
}

/**
 * Sends page after page over one connection, and reads the next one meanwhile. Answers the last page, which is still to
 * be settled; `lost`: another worker has the destination, or its owner has moved it.
 */
async function sendPages(
  engine: DestinationEngine,
  { destination, lease }: ClaimedDestination,
  send: EventSender["send"],
): Promise<Sent | "lost"> {
  const until = performance.now() + LONGEST_MS;
  const { page: limit } = sizesOf(destination);
  let before = destination;
  let page = await readPage(engine, before, limit);
  for (;;) {
    const last = page.events.length === limit ? page.events.at(-1) : undefined;
    const after = last && { ...before, epoch: page.epoch, place: last.place, ahead: [] };
    const reading = after === undefined ? null : readPage(engine, after, limit);
    // It is waited for below, or not needed any more.
    reading?.catch(() => {});
    const sent = await sendPage(engine, { before, page, until }, send);
    const isWhole = after !== undefined && sent.error === null && compareEventPlaces(sent.place, after.place) === 0;
    if (reading === null || !isWhole || engine.callOff.signal.aborted || performance.now() >= until) return sent;
    const status = await keepProgress(engine.ctx.db, lease, sent);
    if (status === null) return "lost";
    if (status === "paused") return sent;
    before = after;
    page = await reading;
  }
}

function sizesOf({ type }: Pick<EventDestination, "type">) {
  return type === "webhook" ? WEBHOOKS : BROKERS;
}

type Page = { before: EventDestination; page: EventPage; until: number };

/** Events of one object go one after another, those of different objects side by side. After a failure none is begun. */
async function sendPage(engine: DestinationEngine, { before, page, until }: Page, send: EventSender["send"]): Promise<Sent> {
  const { signal } = engine.callOff;
  const { page: limit, atOnce } = sizesOf(before);
  const done = new Set(before.ahead);
  const objects = [...Map.groupBy(page.events, ({ objectId }) => objectId).values()];
  let error: string | null = null;
  let isDelivered = false;
  const goesOn = () => error === null && !signal.aborted && performance.now() < until;
  const sendObject = async (events: readonly PartnerEvent[]) => {
    for (const event of events) {
      if (done.has(event.id)) continue;
      if (!goesOn()) return;
      const failed = await send(event, signal);
      if (failed !== null) {
        error ??= failed;
        return;
      }
      done.add(event.id);
      isDelivered = true;
    }
  };
  const sendObjects = async () => {
    for (let events = objects.shift(); events !== undefined && goesOn(); events = objects.shift()) await sendObject(events);
  };
  await Promise.all(Array.from({ length: atOnce }, sendObjects));
  return { ...progressOf(page, done, { before, limit }), isDelivered, error };
}

/** From the destination's place on; from the oldest kept where events after it are gone. */
async function readPage({ ctx }: DestinationEngine, destination: EventDestination, limit: number): Promise<EventPage> {
  const { partnerId, audiences, epoch, place } = destination;
  const filter = { partnerId, audiences, types: typesOfAll(destination.types) };
  const page = await readEventPage(ctx.db, filter, { epoch, place }, limit);
  if (page.floor === null || compareEventPlaces(page.from, page.floor) >= 0) return page;
  ctx.log.warn({ destination_id: destination.id, partner_id: partnerId }, "events were deleted before a destination got them");
  return await readEventPage(ctx.db, filter, null, limit);
}

/** The place before which everything has arrived, and what has arrived beyond it. */
function progressOf(
  page: EventPage,
  done: ReadonlySet<string>,
  { before, limit }: { before: EventDestination; limit: number },
): Pick<Sent, "epoch" | "place" | "ahead"> {
  const { epoch, events, horizon, lookedUntil } = page;
  const firstOpen = events.findIndex(({ id }) => !done.has(id));
  const last = firstOpen === -1 ? events.at(-1) : events[firstOpen - 1];
  const isWhole = firstOpen === -1 && events.length < limit;
  const end = isWhole ? (lookedUntil ?? { position: horizon, version: 0, id: "" }) : (last?.place ?? page.from);
  const place = compareEventPlaces(end, page.from) < 0 ? page.from : end;
  const ahead = firstOpen === -1 ? [] : events.slice(firstOpen).flatMap(({ id }) => (done.has(id) ? [id] : []));
  // Where the line is another one and nothing was delivered, the place is still one of the line before.
  return compareEventPlaces(place, before.place) === 0 ? { epoch: before.epoch, place, ahead } : { epoch, place, ahead };
}
