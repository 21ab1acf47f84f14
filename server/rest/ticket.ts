import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import { databaseErrorOf, firstCause } from "#db/trouble.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { Context } from "#server/context.ts";
import { refusalFor } from "#server/observe/trouble.ts";
import type { Door } from "./door.ts";
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
 * As {@link spendWithWork}, for work that may share (`sharing`): one transaction with what comes at the same time under the key. A refusal is
 * one's own: it burns the nonce like any other, unless it is to be sent again, and leaves the others alone. But for one behind which the
 * database has failed: nothing of that transaction can stay.
 */
export async function spendWithOthers<Result>(
  { door, sharedAs }: { door: Door; sharedAs: string },
  ctx: Context,
  passage: Passage,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const { ticket, deadline } = passage;
  if (ticket === null) return await work(ctx);
  return await new Promise((resolve, reject) => {
    const part = async (tx: Context["db"]): Promise<() => void> => {
      const within = { ...ctx, db: tx };
      const [spent, worked] = await Promise.allSettled([ticket.spend(within), work(within)]);
      if (spent.status === "rejected") throw causeOf(spent.reason, worked);
      if (worked.status === "rejected" && !isOwn(worked.reason)) throw worked.reason;
      const isToComeAgain = worked.status === "rejected" && saysAgain(worked.reason);
      if (isToComeAgain) await ticket.giveBack(within);
      // Too late: the caller was told 503, so nothing of this may stay.
      deadline.close();
      return () => {
        passage.ticket = isToComeAgain ? ticket : null;
        if (worked.status === "fulfilled") resolve(worked.value);
        else reject(worked.reason);
      };
    };
    door.shared(`${passage.apiKeyId} ${sharedAs}`, { db: ctx.db, isWanted: () => isWanted(passage, reject), work: part, refuse: reject });
  });
}

function isOwn(error: unknown): boolean {
  return isRefusal(error) && databaseErrorOf(error) === null;
}

function isWanted({ deadline }: Passage, refuse: (error: unknown) => void): boolean {
  try {
    deadline.check();
    return true;
  } catch (error) {
    refuse(error);
    return false;
  }
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
