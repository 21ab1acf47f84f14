import { is } from "drizzle-orm";
import { PgTransaction } from "drizzle-orm/pg-core";
import type { Database } from "./client.ts";
import { openLanes } from "./lanes.ts";
import { isEverybodys } from "./trouble.ts";
import { markShared, unsentOf } from "./unsent.ts";

type Asking<Asked, Told> = { asked: Asked; tell: (told: Told) => void; fail: (error: unknown) => void };

/**
 * A question that many may ask at the same time, as one statement: on a pool, and in a transaction that is shared. In any other
 * transaction it is asked at once, alone. `ask` answers each, in the order of their asking. Only what stands in one `lane` is asked
 * together, so that nobody waits for another's locks. On a pool, where the data of one is what fails, each is asked alone.
 */
export function gathered<Asked, Told>(
  lane: (asked: Asked) => string,
  ask: (db: Database, asked: readonly [Asked, ...Asked[]]) => Promise<readonly Told[]>,
): (db: Database, asked: Asked) => Promise<Told> {
  const alone = async (db: Database, asked: Asked): Promise<Told> => answered((await ask(db, [asked]))[0]);
  const together = async (db: Database, askings: readonly Asking<Asked, Told>[]): Promise<void> => {
    const [one, ...others] = askings;
    if (one === undefined) return;
    try {
      const told = await ask(db, [one.asked, ...others.map(({ asked }) => asked)]);
      for (const [index, asking] of askings.entries()) asking.tell(answered(told[index]));
    } catch (error) {
      if (others.length === 0 || unsentOf(db) !== undefined || isEverybodys(error)) for (const asking of askings) asking.fail(error);
      else await Promise.all(askings.map(({ asked, tell, fail }) => alone(db, asked).then(tell, fail)));
    }
  };
  const pools = new WeakMap<Database, ReturnType<typeof openLanes<Asking<Asked, Told>>>>();
  const turns = new WeakMap<Database, Map<string, Asking<Asked, Told>[]>>();
  const inTurn = (tx: Database, unsent: Set<() => void>, asking: Asking<Asked, Told>) => {
    const turn = turns.get(tx) ?? new Map<string, Asking<Asked, Told>[]>();
    turns.set(tx, turn);
    if (turn.size === 0) {
      const send = () => {
        unsent.delete(send);
        const lanes = [...turn.values()];
        turn.clear();
        for (const askings of lanes) void together(tx, askings);
      };
      unsent.add(send);
      setImmediate(() => unsent.has(send) && send());
    }
    const name = lane(asking.asked);
    turn.set(name, [...(turn.get(name) ?? []), asking]);
  };
  return (db, asked) => {
    const unsent = unsentOf(db);
    if (unsent === undefined && is(db, PgTransaction)) return alone(db, asked);
    return new Promise((tell, fail) => {
      if (unsent !== undefined) return inTurn(db, unsent, { asked, tell, fail });
      const join = pools.get(db) ?? openLanes<Asking<Asked, Told>>((askings) => together(db, askings));
      pools.set(db, join);
      join(lane(asked), { asked, tell, fail });
    });
  };
}

function answered<Told>(told: Told | undefined): Told {
  if (told === undefined) throw new Error("a question was not answered");
  return told;
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
      if (wanted.length > 1) markShared(tx);
      const worked = await Promise.allSettled(wanted.map((sharer) => sharer.work(tx)));
      return worked.map((each) => {
        if (each.status === "rejected") throw each.reason;
        return each.value;
      });
    });
    for (const one of tell) one();
  } catch (error) {
    if (wanted.length > 1 && !isEverybodys(error)) await Promise.all(wanted.map((sharer) => inOne([sharer])));
    else for (const sharer of wanted) sharer.refuse(error);
  }
}
