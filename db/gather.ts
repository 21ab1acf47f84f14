import { is } from "drizzle-orm";
import { PgTransaction } from "drizzle-orm/pg-core";
import type { Database } from "./client.ts";
import { unsentOf } from "./shared-transaction.ts";
import { databaseErrorOf } from "./trouble.ts";

/** So many groups of one lane are under way at once; what comes meanwhile is the next one's. */
const AT_ONCE = 2;
/** So many are one group at most. */
const MOST = 64;

type Lane<Member> = { waiting: Member[]; underWay: number; called: boolean };

/**
 * Groups of what comes at the same time, in lanes that do not wait for each other. What comes while its lane is free goes on at once, with
 * what comes in the same turn; what comes while the lane is busy goes together as soon as a group has ended: the more there is to do, the
 * larger the groups. `work` never fails: it answers each member.
 */
export function openLanes<Member>(work: (members: Member[]) => Promise<void>): (lane: string, member: Member) => void {
  const lanes = new Map<string, Lane<Member>>();
  const call = (name: string, lane: Lane<Member>) => {
    if (lane.called || lane.waiting.length === 0 || lane.underWay >= AT_ONCE) return;
    lane.called = true;
    setImmediate(() => go(name, lane));
  };
  const go = (name: string, lane: Lane<Member>) => {
    lane.called = false;
    lane.underWay += 1;
    void work(lane.waiting.splice(0, MOST)).finally(() => {
      lane.underWay -= 1;
      if (lane.underWay === 0 && lane.waiting.length === 0) lanes.delete(name);
      call(name, lane);
    });
    call(name, lane);
  };
  return (name, member) => {
    const lane = lanes.get(name) ?? { waiting: [], underWay: 0, called: false };
    lanes.set(name, lane);
    lane.waiting.push(member);
    call(name, lane);
  };
}

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
      if (others.length === 0 || unsentOf(db) !== undefined || !isOfOne(error)) for (const asking of askings) asking.fail(error);
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

/** Whether what failed was the data of one, or that it stood in another's way: not the database itself. */
export function isOfOne(error: unknown): boolean {
  return ["22", "23", "40", "55"].includes(databaseErrorOf(error)?.code.slice(0, 2) ?? "");
}
