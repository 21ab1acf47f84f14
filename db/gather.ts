import { openLanes } from "./lanes.ts";
import { type Database, isTransaction } from "./transaction.ts";
import { isEverybodys } from "./trouble.ts";

type Asking<Asked, Told> = { asked: Asked; tell: (told: Told) => void; fail: (error: unknown) => void };

/**
 * A question that many may ask a pool at the same time, as one statement. In a transaction it is asked at once, alone. `ask` answers each, in
 * the order of their asking; an error is thrown to that asker alone. Only what stands in one `lane` is asked together, so that nobody waits
 * for another's locks. Where the data of one is what fails, each is asked alone.
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
      if (others.length === 0 || isEverybodys(error)) for (const asking of askings) asking.fail(error);
      else await Promise.all(askings.map((asking) => askOne(db, asking)));
    }
  };
  const pools = new WeakMap<Database, ReturnType<typeof openLanes<Asking<Asked, Told>>>>();
  return (db, asked) =>
    new Promise((tell, fail) => {
      const asking = { asked, tell, fail };
      if (isTransaction(db)) return void askOne(db, asking);
      const join = pools.get(db) ?? openLanes<Asking<Asked, Told>>((askings) => together(db, askings));
      pools.set(db, join);
      join(lane(asked), asking);
    });
}

function answer<Asked, Told>({ tell, fail }: Asking<Asked, Told>, told: Told | Error | undefined): void {
  if (told === undefined) fail(new Error("a question was not answered"));
  else if (told instanceof Error) fail(told);
  else tell(told);
}
