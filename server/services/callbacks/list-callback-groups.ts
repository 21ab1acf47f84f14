import * as groups from "#db/queries/callbacks/callback-groups.ts";
import { type EndpointHealth, listEndpointHealth } from "#db/queries/callbacks/endpoint-health.ts";
import { listPausedReceivers } from "#db/queries/callbacks/paused-receivers.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { causeTitle, tipFor } from "#domain/callback-group.ts";
import type { Uses } from "#server/context.ts";

const GROUPS = 200;
const ENDPOINTS = 200;

export type CallbackGroup = groups.CallbackGroup & { title: string; tip: string };

/** What is not taken by cause and receiver, most first, with what to do about it: a partner's, or (null) everybody's. */
export async function listCallbackGroups(
  ctx: Uses<"db">,
  scope: { partnerId: string | null; state: groups.GroupState },
): Promise<CallbackGroup[]> {
  const found = await groups.listCallbackGroups(ctx.db, scope, GROUPS);
  return found.map((group) => ({ ...group, title: causeTitle(group.cause), tip: tipFor(group.cause) }));
}

/** Whose pause it is decides who may resume it. */
export type Pause = { by: "partner" | "operator"; since: Date; reason: string };
export type Endpoint = EndpointHealth & { pauses: Pause[] };

/** How the receivers of the last 7 days (business time) do, those in trouble first: a partner's, or (null) everybody's. */
export async function listEndpoints(ctx: Uses<"db">, { partnerId }: { partnerId: string | null }): Promise<Endpoint[]> {
  const health = await listEndpointHealth(ctx.db, partnerId, await readBusinessNow(ctx.db), ENDPOINTS);
  const paused = await listPausedReceivers(ctx.db, partnerId);
  return health.map((receiver) => ({
    ...receiver,
    pauses: paused
      .filter(({ origin }) => origin === receiver.origin)
      .map(({ partnerId: side, pausedAt, reason }) => ({ by: side === null ? "operator" : "partner", since: pausedAt, reason })),
  }));
}
