import { BROUGHT_AT_ONCE, bringFromOutbox, listWaiting } from "#db/queries/settlements/outbox.ts";
import { layoutOf, sentTogether } from "#db/transaction.ts";
import { unlessNodeAway } from "#db/trouble.ts";
import type { Uses } from "#server/context.ts";

/** Each takes a connection of the worker's. */
const PARTNERS_AT_ONCE = 4;

/** Whether settlements leave anything on nodes: only in Citus's layout. */
export const hasOutbox = (ctx: Uses<"db">): boolean => layoutOf(ctx.db) === "citus";

/**
 * On Citus: brings what new settlements and confirmations left on their nodes to the coordinator, a batch of each partner. What is on a node
 * that is away waits there. Safe at any time, in any number of processes. True: there may be more.
 */
export async function bringOutbox(ctx: Uses<"db">): Promise<boolean> {
  const partners = (await listWaiting(ctx.db)).values();
  let more = false;
  const bringOneByOne = async () => {
    for (const id of partners) if ((await unlessNodeAway(bringFromOutbox(ctx.db, id))) === BROUGHT_AT_ONCE) more = true;
  };
  await sentTogether(...Array.from({ length: PARTNERS_AT_ONCE }, bringOneByOne));
  return more;
}
