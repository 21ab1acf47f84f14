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
 * that is away waits there. Safe at any time, in any number of processes. Returns of how many settlements it brought something, and whether
 * there may be more.
 *
 * @throws The first failure, once all other partners' batches are brought.
 */
export async function bringOutbox(ctx: Uses<"db">): Promise<{ brought: number; more: boolean }> {
  const partners = (await listWaiting(ctx.db)).values();
  const done = { brought: 0, more: false };
  const failures: unknown[] = [];
  const bringOneByOne = async () => {
    for (const id of partners) {
      try {
        const count = (await unlessNodeAway(bringFromOutbox(ctx.db, id))) ?? 0;
        done.brought += count;
        if (count === BROUGHT_AT_ONCE) done.more = true;
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await sentTogether(...Array.from({ length: PARTNERS_AT_ONCE }, bringOneByOne));
  if (failures.length > 0) throw failures[0];
  return done;
}
