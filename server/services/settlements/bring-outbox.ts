import { BROUGHT_AT_ONCE, bringFromOutbox, listWaiting } from "#db/queries/settlements/outbox.ts";
import { unlessNodeAway } from "#db/trouble.ts";
import type { Uses } from "#server/context.ts";

/**
 * On Citus: brings the audit entries and events of new settlements from their nodes to the coordinator, a batch of each partner. Those on a
 * node that is away wait there. Safe at any time, in any number of processes. True: there may be more.
 */
export async function bringOutbox(ctx: Uses<"db">): Promise<boolean> {
  let more = false;
  for (const partnerId of await listWaiting(ctx.db)) {
    if ((await unlessNodeAway(bringFromOutbox(ctx.db, partnerId))) === BROUGHT_AT_ONCE) more = true;
  }
  return more;
}
