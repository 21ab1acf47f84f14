import { readAsFarAsPossible } from "#server/adapters/journal/read-lines.ts";
import { LAPSING_CHAIN } from "./lapsing-nodes.ts";
import type { LapsingWorld } from "./lapsing-world.ts";
import { copyTables, liftAll, putTablesBack } from "./put-back.ts";
import { tables } from "./tables/rows.ts";

const SHARE = 0.15;
/** So often people lift the halts, without looking, from when the database was put back. */
const LIFTED_EACH_MS = 4_000;
const LIFTED_FOR_MS = 40_000;

/** In some hours the database is put back. Drawn apart, so that no other draw changes. */
export function planLapsingPutBack(world: LapsingWorld, faultsMs: number): void {
  const { history, scheduler } = world;
  const random = history.random.fork("put back");
  if (!random.chance(SHARE)) return;
  history.faults.add("put back");
  const [one, other] = [random.below(faultsMs), faultsMs / 2 + random.below(faultsMs / 2)];
  let kept: ReturnType<typeof copyTables> | null = null;
  scheduler.after(Math.min(one, other), () => {
    kept = copyTables();
  });
  scheduler.after(Math.max(one, other), () => {
    if (kept !== null) putBack(world, kept);
  });
  for (let ms = LIFTED_EACH_MS; ms < LIFTED_FOR_MS; ms += LIFTED_EACH_MS) scheduler.after(faultsMs + ms, () => liftAll(world));
}

function putBack(world: LapsingWorld, kept: ReturnType<typeof copyTables>): void {
  const { workers, journal, history } = world;
  const before = [...tables().lapsingAttempts.rows.keys()];
  for (const { gate } of [...workers]) gate.kill();
  putTablesBack(kept);
  const lost = new Set(before.filter((id) => !tables().lapsingAttempts.rows.has(id)));
  const newest = journal.bytes === null ? null : readAsFarAsPossible(journal.bytes).lines.state.lapsing.newest(LAPSING_CHAIN);
  world.putBack = { lost, isBehind: newest !== null && lost.has(newest) };
  history.trace?.(`the database is put back; it lacks ${[...lost].join(", ")}`);
}

/** A database that lacks what was signed last has its chain halted. */
export function judgeLapsingPutBack({ putBack, violations }: LapsingWorld): void {
  const isHalted = [...tables().halts.rows.values()].some(({ halt }) => halt.cause === "database_behind");
  if (putBack?.isBehind && !isHalted) violations.push("the database lacks what was signed last, and nothing is halted");
}
