import { isOfOne, openLanes } from "#db/gather.ts";
import { shareTransaction } from "#db/shared-transaction.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { Context } from "#server/context.ts";
import { refusalFor } from "#server/observe/trouble.ts";
import type { Passage, Ticket } from "./passage.ts";
import { saysAgain } from "./ticket.ts";

type Member = {
  passage: Passage;
  ticket: Ticket;
  /** Only adds, by its last question alone: refused, it has written nothing. */
  work(ctx: Context): Promise<() => void>;
  refuse(error: unknown): void;
};

export type SharedTransactions = <Result>(passage: Passage, ticket: Ticket, work: (ctx: Context) => Promise<Result>) => Promise<Result>;

/**
 * Lets requests of one key that come at the same time share a transaction, each with its ticket, so that they share its round trips and its
 * commit. Each is answered once that is done, just as if it had had one of its own; should anything but a refusal come up, each gets one of
 * its own.
 */
export function shareTransactions(ctx: Context): SharedTransactions {
  const join = openLanes<Member>((members) => run(ctx, members));
  return (passage, ticket, work) =>
    new Promise((resolve, reject) => {
      const worked = async (within: Context) => {
        const result = await work(within);
        return () => resolve(result);
      };
      join(passage.apiKeyId ?? "", { passage, ticket, work: worked, refuse: reject });
    });
}

/** Answers each. */
async function run(ctx: Context, members: readonly Member[]): Promise<void> {
  const inTime = members.filter(isInTime);
  if (inTime.length === 0) return;
  try {
    const answers = await ctx.db.transaction(async (tx) => {
      if (inTime.length > 1) shareTransaction(tx);
      const passed = await Promise.allSettled(inTime.map((member) => pass({ ...ctx, db: tx }, member)));
      return passed.map(reached);
    });
    for (const answer of answers) answer();
  } catch (error) {
    if (inTime.length > 1 && !isEverybodys(error)) return void (await Promise.all(inTime.map((member) => run(ctx, [member]))));
    for (const { passage, ticket, refuse } of inTime) {
      // Rolled back with everything else.
      passage.ticket = ticket;
      refuse(error);
    }
  }
}

/** What its caller is told once this is committed. @throws What lets nothing of the transaction stay. */
async function pass(within: Context, { passage, ticket, work, refuse }: Member): Promise<() => void> {
  passage.ticket = null;
  const [spent, worked] = await Promise.allSettled([ticket.spend(within), work(within)]);
  reached(spent);
  if (worked.status === "rejected" && !isRefusal(worked.reason)) throw worked.reason;
  const isToComeAgain = worked.status === "rejected" && saysAgain(worked.reason);
  if (isToComeAgain) await ticket.giveBack(within);
  // Too late: the caller was told 503, so nothing of this may stay.
  passage.deadline.close();
  if (worked.status === "fulfilled") return worked.value;
  return () => {
    if (isToComeAgain) passage.ticket = ticket;
    refuse(worked.reason);
  };
}

function isInTime({ passage, refuse }: Member): boolean {
  try {
    passage.deadline.check();
    return true;
  } catch (error) {
    refuse(error);
    return false;
  }
}

function reached<Result>(settled: PromiseSettledResult<Result>): Result {
  if (settled.status === "rejected") throw settled.reason;
  return settled.value;
}

/** Whether the database is what is the matter, so that it would be so for each alone. */
function isEverybodys(error: unknown): boolean {
  return !isRefusal(error) && !isOfOne(error) && refusalFor(error).code === "temporarily_unavailable";
}
