import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import {
  type Backlog,
  deleteDestination,
  findDestination,
  findPlace,
  insertDestination,
  listBacklogs,
  listDestinations,
  lockDestination,
  lockDestinationsOf,
  moveDestination,
  saveWishes,
} from "#db/queries/events/destinations.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { inTransaction } from "#db/transaction.ts";
import type { By, Scope } from "#domain/access.ts";
import { type DestinationType, type EventDestination, MOST_DESTINATIONS } from "#domain/event-destination.ts";
import { isId, newId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import { destinationSecretOf, destinationUrlOf } from "#domain/sealed-place.ts";
import { newCallbackSecret } from "#domain/signing.ts";
import type { Uses } from "#server/context.ts";
import { checkCallbackUrl } from "#server/services/callbacks/callback-target.ts";
import { audiencesOf } from "#server/services/events/read-events.ts";

type Which = { id: string; partnerId: string };
export type CreateDestination = Pick<EventDestination, "partnerId" | "apiKeyId" | "type" | "url" | "types" | "description"> & {
  by: By;
  scopes: readonly Scope[];
};

/** @throws Refusal as {@link checkCallbackUrl}. It uses DNS: call it outside of transactions. */
export async function checkDestinationUrl(ctx: Uses<"callbacks" | "brokers">, type: DestinationType, url: string): Promise<void> {
  const judge = type === "webhook" ? ctx.callbacks.judge : (text: string) => ctx.brokers.judge(type, text);
  await checkCallbackUrl({ callbacks: { ...ctx.callbacks, judge } }, url, "/url");
}

/**
 * Adds a destination, which gets what happens from now on, as far as the key may see it. Answers it with its secret, this once. The URL was
 * judged before.
 *
 * @throws Refusal `conflict` for the eleventh, `scope_missing` where the key may see no events
 */
export async function createDestination(
  ctx: Uses<"db" | "vault">,
  { by, scopes, ...given }: CreateDestination,
): Promise<{ destination: EventDestination; secret: string }> {
  const audiences = audiencesOf(scopes);
  const secret = newCallbackSecret();
  return await inTransaction(ctx.db, async (tx) => {
    const count = await lockDestinationsOf(tx, given.partnerId);
    if (count >= MOST_DESTINATIONS) {
      throw new Refusal("conflict", { detail: `There are ${MOST_DESTINATIONS} event destinations already. Delete one first.` });
    }
    const now = await readBusinessNow(tx);
    const id = newId("destination", now);
    const shown = withoutCredentials(given.url);
    const destination: EventDestination = {
      ...given,
      ...(await findPlace(tx, given.partnerId, null)),
      ...NEW,
      id,
      url: shown,
      sealedUrl: shown === given.url ? null : ctx.vault.seal(given.url, destinationUrlOf(id)),
      audiences,
      sealedSecret: ctx.vault.seal(secret, destinationSecretOf(id)),
      createdAt: now,
    };
    await insertDestination(tx, destination);
    await record(tx, "created", destination, { by, change: { type: given.type, host: hostOf(shown), types: given.types }, now });
    return { destination, secret };
  });
}

const NEW = {
  status: "active",
  ahead: [],
  failures: 0,
  failingSince: null,
  lastError: null,
  lastDeliveredAt: null,
  pausedAt: null,
  nextAttemptAt: null,
  test: null,
} as const satisfies Partial<EventDestination>;

export async function readDestinations(ctx: Uses<"db">, partnerId: string): Promise<EventDestination[]> {
  return await listDestinations(ctx.db, partnerId);
}

/** What waits for each of a partner's destinations, by its id. Counted up to a thousand of the next events. */
export async function readBacklogs(ctx: Uses<"db">, destinations: readonly EventDestination[]): Promise<ReadonlyMap<string, Backlog>> {
  return new Map((await listBacklogs(ctx.db, destinations)).map(({ id, ...backlog }) => [id, backlog]));
}

/** @throws Refusal `destination_not_found`, for another partner's as for one that never existed */
export async function readDestination(ctx: Uses<"db">, { id, partnerId }: Which): Promise<EventDestination> {
  return existing(isId("destination", id) ? await findDestination(ctx.db, { id, partnerId }) : null);
}

type Wishes = Partial<Pick<EventDestination, "types" | "description" | "status">>;

/**
 * Changes a destination. Paused, it keeps its place; active again, it is tried at once, and gets everything that has waited.
 *
 * @throws Refusal `destination_not_found`
 */
export async function changeDestination(
  ctx: Uses<"db">,
  { by, wishes, ...which }: Which & { by: By; wishes: Wishes },
): Promise<EventDestination> {
  return await changed(ctx, which, async (tx, before) => {
    const now = await readBusinessNow(tx);
    const after = { ...before, ...wishes };
    if (after.status === "paused") after.pausedAt = before.pausedAt ?? now;
    else Object.assign(after, { pausedAt: null, nextAttemptAt: null });
    // It gets its day again, and is still none that works.
    if (after.status !== before.status) after.failingSince = null;
    await saveWishes(tx, after);
    await record(tx, "changed", after, { by, change: wishes, now });
    return after;
  });
}

/** @throws Refusal `destination_not_found` */
export async function removeDestination(ctx: Uses<"db">, { by, ...which }: Which & { by: By }): Promise<void> {
  await changed(ctx, which, async (tx, destination) => {
    await deleteDestination(tx, destination);
    await record(tx, "deleted", destination, { by, change: { host: hostOf(destination.url) } });
    return destination;
  });
}

/**
 * Has a worker send a test event, at once, in whatever state the destination is. How it ended is in `test`. While one is under way, no
 * other one begins.
 *
 * @throws Refusal `destination_not_found`
 */
export async function testDestination(ctx: Uses<"db">, { by, ...which }: Which & { by: By }): Promise<EventDestination> {
  return await changed(ctx, which, async (tx, before) => {
    if (before.test !== null && before.test.endedAt === null) return before;
    const now = await readBusinessNow(tx);
    const after = { ...before, test: { askedAt: now.toISOString(), endedAt: null, delivered: null, error: null } };
    await saveWishes(tx, after);
    await record(tx, "tested", after, { by, change: { host: hostOf(after.url) }, now });
    return after;
  });
}

/**
 * Sends everything from that instant on again, as far as it is kept, under the same ids.
 *
 * @throws Refusal `destination_not_found`
 */
export async function replayDestination(
  ctx: Uses<"db">,
  { by, from, ...which }: Which & { by: By; from: Date },
): Promise<EventDestination> {
  return await changed(ctx, which, async (tx, before) => {
    const moved = await findPlace(tx, before.partnerId, from);
    await moveDestination(tx, before, moved);
    await record(tx, "replayed", before, { by, change: { from: from.toISOString() } });
    return { ...before, ...moved, ahead: [], nextAttemptAt: null };
  });
}

async function changed(
  ctx: Uses<"db">,
  { id, partnerId }: Which,
  work: (tx: Uses<"db">["db"], before: EventDestination) => Promise<EventDestination>,
): Promise<EventDestination> {
  return await inTransaction(ctx.db, async (tx) => {
    return await work(tx, existing(isId("destination", id) ? await lockDestination(tx, { id, partnerId }) : null));
  });
}

type Recorded = { by: By; change: Record<string, unknown>; now?: Date };

async function record(tx: Uses<"db">["db"], done: string, { id, partnerId }: EventDestination, recorded: Recorded): Promise<void> {
  await insertAuditEntry(tx, { ...recorded, partnerId, action: `destination.${done}`, objectId: id });
}

function existing(destination: EventDestination | null): EventDestination {
  if (destination === null) throw new Refusal("destination_not_found");
  return destination;
}

function hostOf(url: string): string {
  return new URL(url).host;
}

/** Byte for byte as it was given, but for the credentials. */
function withoutCredentials(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, "$1");
}
