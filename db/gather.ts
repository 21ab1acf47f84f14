import { is, sql } from "drizzle-orm";
import { PgTransaction } from "drizzle-orm/pg-core";
import type { Database } from "./client.ts";
import { openLanes } from "./lanes.ts";
import { firstCause, isEverybodys } from "./trouble.ts";
import { markShared, type Unsent, unsentOf } from "./unsent.ts";

type Asking<Asked, Told> = { asked: Asked; tell: (told: Told) => void; fail: (error: unknown) => void };

/**
 * A question that many may ask at the same time, as one statement: on a pool, and in a transaction that is shared. In any other
 * transaction it is asked at once, alone. `ask` answers each, in the order of their asking; an error is thrown to that asker alone. Only what
 * stands in one `lane` is asked together, so that nobody waits for another's locks. On a pool, where the data of one is what fails, each is asked alone.
 */
export function gathered<Asked, Told>(
  lane: (asked: Asked) => string,
  ask: (db: Database, asked: readonly [Asked, ...Asked[]]) => Promise<readonly (Told | Error)[]>,
): (db: Database, asked: Asked) => Promise<Told> {
  const askOne = async (db: Database, asking: Asking<Asked, Told>): Promise<void> => {
    await ask(db, [asking.asked]).then(([told]) => answer(asking, told), asking.fail);
  };
  const together = async (db: Database, askings: readonly Asking<Asked, Told>[]): Promise<void> => {
    const [one, ...others] = askings;
    if (one === undefined) return;
    try {
      const told = await ask(db, [one.asked, ...others.map(({ asked }) => asked)]);
      for (const [index, asking] of askings.entries()) answer(asking, told[index]);
    } catch (error) {
      if (others.length === 0 || unsentOf(db) !== undefined || isEverybodys(error)) for (const asking of askings) asking.fail(error);
      else await Promise.all(askings.map((asking) => askOne(db, asking)));
    }
  };
  const pools = new WeakMap<Database, ReturnType<typeof openLanes<Asking<Asked, Told>>>>();
  const turns = new WeakMap<Database, Map<string, Asking<Asked, Told>[]>>();
  const inTurn = (tx: Database, unsent: Set<Unsent>, asking: Asking<Asked, Told>) => {
    const turn = turns.get(tx) ?? new Map<string, Asking<Asked, Told>[]>();
    turns.set(tx, turn);
    if (turn.size === 0) {
      const take = () => {
        unsent.delete(queued);
        const lanes = [...turn.values()];
        turn.clear();
        return lanes;
      };
      const send = () => {
        for (const askings of take()) void together(tx, askings);
      };
      const drop = (error: unknown) => {
        for (const asking of take().flat()) asking.fail(error);
      };
      const queued: Unsent = { send, drop };
      unsent.add(queued);
      setImmediate(() => unsent.has(queued) && send());
    }
    const name = lane(asking.asked);
    turn.set(name, [...(turn.get(name) ?? []), asking]);
  };
  return (db, asked) => {
    const unsent = unsentOf(db);
    return new Promise((tell, fail) => {
      const asking = { asked, tell, fail };
      if (unsent !== undefined) return inTurn(db, unsent, asking);
      if (is(db, PgTransaction)) return void askOne(db, asking);
      const join = pools.get(db) ?? openLanes<Asking<Asked, Told>>((askings) => together(db, askings));
      pools.set(db, join);
      join(lane(asked), asking);
    });
  };
}

function answer<Asked, Told>({ tell, fail }: Asking<Asked, Told>, told: Told | Error | undefined): void {
  if (told === undefined) fail(new Error("a question was not answered"));
  else if (told instanceof Error) fail(told);
  else tell(told);
}

/** One of those who share a transaction. */
export type Sharer = {
  /** The pool, as those of the lane see it. */
  db: Database;
  /** Whether anybody still waits for it. */
  isWanted(): boolean;
  /** Its part. What it gives is called once that is committed. @throws What lets nothing of the transaction stay. */
  work(tx: Database): Promise<() => void>;
  refuse(error: unknown): void;
};

/** So long a transaction that is shared waits for a lock: whoever holds it is in one's way, and not in that of the others. */
const PATIENCE = sql`set local lock_timeout = '250ms'`;

/**
 * Lets those of a lane that come at the same time share a transaction, its round trips and its commit. Each is told once that is done; should
 * one of them let nothing stay, each gets a transaction of its own, unless the database is what is the matter.
 */
export function shareTransactions(): (lane: string, sharer: Sharer) => void {
  return openLanes<Sharer>(inOne);
}

async function inOne(sharers: readonly Sharer[]): Promise<void> {
  const wanted = sharers.filter((sharer) => sharer.isWanted());
  const [first] = wanted;
  if (first === undefined) return;
  try {
    const tell = await first.db.transaction(async (tx) => {
      if (wanted.length > 1) share(tx);
      const worked = await Promise.allSettled(wanted.map((sharer) => sharer.work(tx)));
      const errors = worked.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
      if (errors.length > 0) throw firstCause(errors);
      return worked.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    });
    for (const one of tell) one();
  } catch (error) {
    if (wanted.length > 1 && !isEverybodys(error)) await Promise.all(wanted.map((sharer) => inOne([sharer])));
    else for (const sharer of wanted) sharer.refuse(error);
  }
}

/** Sent ahead of what they ask. Where it fails, all that stands behind it fails too. */
function share(tx: Database): void {
  markShared(tx);
  tx.execute(PATIENCE).catch(() => {});
}
