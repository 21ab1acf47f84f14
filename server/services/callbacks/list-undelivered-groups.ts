import { readBusinessNow } from "#db/queries/clock.ts";
import { type EndpointHealth, listEndpointHealth } from "#db/queries/endpoint-health.ts";
import * as undelivered from "#db/queries/undelivered-callbacks.ts";
import type { Uses } from "#server/context.ts";
import { causeTitle, tipFor } from "#server/domain/callback-group.ts";

const GROUPS = 200;
const ENDPOINTS = 200;

export type UndeliveredGroup = undelivered.UndeliveredGroup & { title: string; tip: string };

/** Undelivered callbacks by cause and receiver, most first, with what to do about them: a partner's, or (null) everybody's. */
export async function listUndeliveredGroups(ctx: Uses<"db">, { partnerId }: { partnerId: string | null }): Promise<UndeliveredGroup[]> {
  const groups = await undelivered.listUndeliveredGroups(ctx.db, partnerId, GROUPS);
  return groups.map((group) => ({ ...group, title: causeTitle(group.cause), tip: tipFor(group.cause) }));
}

/** How the receivers of the last 7 days (business time) do, those in trouble first: a partner's, or (null) everybody's. */
export async function listEndpoints(ctx: Uses<"db">, { partnerId }: { partnerId: string | null }): Promise<EndpointHealth[]> {
  return await listEndpointHealth(ctx.db, partnerId, await readBusinessNow(ctx.db), ENDPOINTS);
}
