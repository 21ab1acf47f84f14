import { type Database, inTransaction } from "#db/client.ts";
import { gathered } from "#db/gather.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/** A change that many may ask for at the same time. */
export type SharedChange<Command, Accepted, Done> = {
  /** Names of what nobody else of the same turn may touch. */
  touches(command: Command): readonly string[];
  /** Holds all that the commands are about, each once. What it gives judges them, one after the other. @throws Refusal: the answer of that one. */
  hold(tx: Database, commands: readonly Command[]): Promise<(command: Command) => Accepted>;
  /** Writes all that was accepted, and answers each. No refusal comes from here. */
  write(tx: Database, accepted: readonly [Accepted, ...Accepted[]]): Promise<readonly Done[]>;
};

/**
 * The change in a transaction of its own, or, where others share the transaction (`db/gather.ts`), together with theirs: each is told what it
 * would be told alone. Those that touch the same come one after the other, in the order of their asking, each to what is written by then.
 */
export function changedTogether<Command, Accepted, Done>(
  change: SharedChange<Command, Accepted, Done>,
): (ctx: Uses<"db">, command: Command) => Promise<Done> {
  const inTurns = async (tx: Database, commands: readonly Command[]): Promise<(Done | Refusal)[]> => {
    const outcomes = new Map<Command, Done | Refusal>();
    for (let left = commands; left.length > 0; ) {
      const turn = firstTurn(left, change.touches);
      for (const [command, outcome] of await oneTurn(tx, turn, change)) outcomes.set(command, outcome);
      left = left.filter((command) => !turn.includes(command));
    }
    return commands.flatMap((command) => outcomes.get(command) ?? []);
  };
  const together = gathered<Command, Done>(() => "", inTurns);
  return (ctx, command) => inTransaction(ctx.db, (tx) => together(tx, command));
}

/** Those that touch nothing which one before them touches. */
function firstTurn<Command>(commands: readonly Command[], touches: (command: Command) => readonly string[]): Command[] {
  const touched = new Set<string>();
  return commands.filter((command) => {
    const names = touches(command);
    const isFree = !names.some((name) => touched.has(name));
    for (const name of names) touched.add(name);
    return isFree;
  });
}

async function oneTurn<Command, Accepted, Done>(
  tx: Database,
  commands: readonly Command[],
  { hold, write }: SharedChange<Command, Accepted, Done>,
): Promise<[Command, Done | Refusal][]> {
  const judge = await hold(tx, commands);
  const refused: [Command, Refusal][] = [];
  const accepted: [Command, Accepted][] = [];
  for (const command of commands) {
    try {
      accepted.push([command, judge(command)]);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.push([command, error]);
    }
  }
  const [first, ...others] = accepted.map(([, each]) => each);
  const done = first === undefined ? [] : await write(tx, [first, ...others]);
  return [
    ...refused,
    ...accepted.flatMap(([command], index): [Command, Done][] => (index in done ? [[command, done[index] as Done]] : [])),
  ];
}
