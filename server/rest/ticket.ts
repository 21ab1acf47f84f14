import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import { firstCause } from "#db/trouble.ts";
import type { Context } from "#server/context.ts";
import { refusalFor } from "#server/observe/trouble.ts";
import type { Passage } from "./passage.ts";

/** Work that writes: in one transaction with the ticket. Copies wait for it, and get in only when it was rolled back. */
export async function spendWithWork<Result>(ctx: Context, passage: Passage, work: (ctx: Context) => Promise<Result>): Promise<Result> {
  const { ticket, deadline } = passage;
  if (ticket === null) return await work(ctx);
  passage.ticket = null;
  return await ctx.db.transaction(async (tx) => {
    const within = { ...ctx, db: tx };
    try {
      const result = await together(ticket.spend(within), work(within));
      // Too late: the caller was told 503, so nothing of this may stay.
      deadline.close();
      return result;
    } catch (error) {
      // Rolled back with everything else.
      passage.ticket = ticket;
      throw error;
    }
  });
}

/**
 * Work that only reads: the ticket is spent before it, and given back as soon as the caller is told to come again, also while the reading
 * is still stuck somewhere: it has no effect. `door`: the service's own powers, which spend it beside the caller's reading.
 */
export async function spendWithReading<Result>(door: Context, passage: Passage, work: () => Promise<Result>): Promise<Result> {
  const { ticket } = passage;
  if (ticket === null) return await work();
  passage.ticket = null;
  const spending = ticket.spend(door);
  passage.giveBack = () =>
    spending.then(
      () => ticket.giveBack(door),
      () => {},
    );
  return await together(spending, work());
}

/** Before work whose first step writes already: the ticket is spent alone, and given back where the caller is told to come again. */
export async function spendFirst(door: Context, passage: Passage): Promise<void> {
  const { ticket } = passage;
  if (ticket === null) return;
  passage.ticket = null;
  await ticket.spend(door);
  passage.giveBack = () => ticket.giveBack(door);
}

/** What the work gives, if the ticket let it in: the first questions of both are sent at once. A copy is told nothing else. */
async function together<Result>(spending: Promise<void>, working: Promise<Result>): Promise<Result> {
  const [spent, worked] = await Promise.allSettled([spending, working]);
  if (spent.status === "rejected") throw causeOf(spent.reason, worked);
  if (worked.status === "rejected") throw worked.reason;
  return worked.value;
}

/** Why the ticket failed: of itself, or because the work that was sent with it had. */
function causeOf(spent: unknown, worked: PromiseSettledResult<unknown>): unknown {
  return worked.status === "rejected" ? firstCause([spent, worked.reason]) : spent;
}

/** A refusal that is not "again" spends the ticket too, and comes after it: what was sent before is told that. */
export async function spendOnRefusal(ctx: Context, passage: Passage, error: unknown): Promise<void> {
  if (passage.ticket === null || saysAgain(error)) return;
  await spendWithReading(ctx, passage, async () => {});
}

function saysAgain(error: unknown): boolean {
  return REFUSAL_STATUS[refusalFor(error).code].status >= 500;
}
