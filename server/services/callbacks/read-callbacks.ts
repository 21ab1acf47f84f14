import {
  type BrowsedCallback,
  browseCallbacks as browse,
  type CallbackFilter,
  countOpenCallbacks,
} from "#db/queries/callbacks/browse-callbacks.ts";
import { type CallbackDetail, listCallbackDetails } from "#db/queries/callbacks/callback-details.ts";
import * as groups from "#db/queries/callbacks/callback-groups.ts";
import { listCallbacksOf } from "#db/queries/callbacks/callbacks.ts";
import { type EndpointHealth, listEndpointHealth } from "#db/queries/callbacks/endpoint-health.ts";
import { listPausedReceivers } from "#db/queries/callbacks/paused-receivers.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import type { Callback } from "#domain/callback.ts";
import { causeTitle, tipFor } from "#domain/callback-group.ts";
import { isId } from "#domain/ids.ts";
import { type Walk, type Walked, walkPage } from "#domain/page.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

export type { CallbackDetail } from "#db/queries/callbacks/callback-details.ts";

/**
 * A callback with every attempt in full: request, response, the time of each step, and who resent it.
 *
 * @throws Refusal `callback_not_found`, for another partner's just as for one that never existed.
 */
export async function readCallback(ctx: Uses<"db">, { id, partnerId }: { id: string; partnerId: string | null }): Promise<CallbackDetail> {
  const [found] = isId("callback", id) ? await listCallbackDetails(ctx.db, { id }, partnerId) : [];
  if (found === undefined) throw new Refusal("callback_not_found");
  return found;
}

/** As {@link readCallback}, for all callbacks about one subject, oldest first. The caller must have checked the subject's owner. */
export async function readCallbacksOf(ctx: Uses<"db">, subjectId: string): Promise<CallbackDetail[]> {
  return await listCallbackDetails(ctx.db, { subjectId }, null);
}

export type { BrowsedCallback, CallbackFilter } from "#db/queries/callbacks/browse-callbacks.ts";

/** Counts stop here: "10,000+" is enough. */
const MOST_COUNTED = 10_000;

/** A page of callbacks about any subject, newest first; its cursors are ids. */
export async function browseCallbacks(
  ctx: Uses<"db">,
  { filter, ...walk }: { filter: CallbackFilter } & Walk<string>,
): Promise<Walked<BrowsedCallback, string>> {
  return await walkPage(
    walk,
    (each) => browse(ctx.db, filter, each),
    ({ id }) => id,
  );
}

/** How many are pending, how many of those are retried after a failure, and how many undelivered, each to at most ten thousand, and whether there ever was one: a partner's, or (null) everybody's. */
export async function countCallbacks(
  ctx: Uses<"db">,
  partnerId: string | null,
): Promise<{ pending: number; retrying: number; undelivered: number; any: boolean }> {
  return await countOpenCallbacks(ctx.db, partnerId, MOST_COUNTED);
}

/**
 * The undelivered callbacks of these subjects (specification, part 6), each with the attempts of its last series. The caller must be
 * allowed to see the subjects, with `partnerId` where all belong to one partner. Subjects without undelivered callbacks are not in the
 * result.
 */
export async function listUndeliveredCallbacks(
  ctx: Uses<"db">,
  subjectIds: readonly string[],
  partnerId?: string,
): Promise<Map<string, Callback[]>> {
  const found = await listCallbacksOf(ctx.db, subjectIds, { state: "undelivered", ...(partnerId !== undefined && { partnerId }) });
  const lastSeries = found.map((callback) => ({
    ...callback,
    attempts: callback.attempts.filter((attempt) => attempt.series === callback.series),
  }));
  return Map.groupBy(lastSeries, (callback) => callback.subjectId);
}

const GROUPS = 200;
const ENDPOINTS = 200;

export type CallbackGroup = groups.CallbackGroup & { title: string; tip: string };

/** Undelivered callbacks by cause and receiver, most frequent first, with what to do: a partner's, or (null) everybody's. */
export async function listCallbackGroups(
  ctx: Uses<"db">,
  scope: { partnerId: string | null; state: groups.GroupState },
): Promise<CallbackGroup[]> {
  const found = await groups.listCallbackGroups(ctx.db, scope, GROUPS);
  return found.map((group) => ({ ...group, title: causeTitle(group.cause), tip: tipFor(group.cause) }));
}

/** The owner of the pause decides who may resume. */
export type Pause = { by: "partner" | "operator"; since: Date; reason: string };
/** `partnerId`: whose callbacks wait; null: everybody's. */
export type PausedOrigin = Pause & { origin: string; partnerId: string | null };
export type Endpoint = EndpointHealth & { pauses: Pause[] };

/**
 * The health of the receivers of the last 7 days (business time) and of those with undelivered callbacks, failing ones first: a partner's,
 * or (null) everybody's.
 */
export async function listEndpoints(ctx: Uses<"db">, { partnerId }: { partnerId: string | null }): Promise<Endpoint[]> {
  const health = await listEndpointHealth(ctx.db, partnerId, await readBusinessNow(ctx.db), ENDPOINTS);
  const paused = await listPauses(ctx, { partnerId });
  return health.map((receiver) => ({ ...receiver, pauses: paused.filter(({ origin }) => origin === receiver.origin) }));
}

/** Paused receivers: for a partner its own and those that the operator paused for everybody; for the operator (null) all. */
export async function listPauses(ctx: Uses<"db">, { partnerId }: { partnerId: string | null }): Promise<PausedOrigin[]> {
  return (await listPausedReceivers(ctx.db, partnerId)).map(({ origin, partnerId: of, pausedAt, reason }) => ({
    origin,
    partnerId: of,
    by: of === null ? "operator" : "partner",
    since: pausedAt,
    reason,
  }));
}
