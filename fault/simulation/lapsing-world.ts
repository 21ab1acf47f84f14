import { randomUUID } from "node:crypto";
import { lapsingPaymentDuties } from "#server/engines/lapsing/duties.ts";
import { createLapsingEngine, type LapsingContext } from "#server/engines/lapsing/engine.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { startLoop } from "#server/worker/loop.ts";
import { Gate, type Weather } from "./gate.ts";
import type { History } from "./history.ts";
import { isDurable, type JournalFile, newJournalFile } from "./journal-disk.ts";
import { type LapsingSigned, LapsingSimulatedChain } from "./lapsing-chain.ts";
import { type LapsingNetwork, lapsingChainFor, PLAIN_MOOD } from "./lapsing-nodes.ts";
import { lapsingSignersFor } from "./lapsing-signers.ts";
import { logFor } from "./log.ts";
import { Scheduler } from "./scheduler.ts";
import { openPool, Store, statement } from "./store.ts";
import { layTables, makeTables, tables } from "./tables/rows.ts";
import { onWake } from "./tables/wakes.ts";
import type { Owed } from "./world.ts";

type LapsingWorker = { gate: Gate; stop(): Promise<void>; hear: ((payload: string) => void)[] };

/** What a history of payments that lapse is made of. */
export type LapsingWorld = {
  history: History;
  scheduler: Scheduler;
  store: Store;
  net: LapsingNetwork;
  weather: Weather;
  violations: string[];
  workers: LapsingWorker[];
  /** By transfer. `reference`: as it is on the chain. */
  owed: Map<string, Owed & { reference: string }>;
  journal: JournalFile;
  /** The database was put back. `lost`: attempts that no table has any more. `isBehind`: what was signed last is among them. */
  putBack: { lost: ReadonlySet<string>; isBehind: boolean } | null;
  born: number;
  isCalm: boolean;
  isOver: boolean;
};

/** An empty world, without a worker yet. */
export function makeLapsingWorld(history: History): LapsingWorld {
  const { random, trace } = history;
  const scheduler = new Scheduler();
  scheduler.take();
  history.clock = () => scheduler.now;
  layTables(makeTables());
  const chain = new LapsingSimulatedChain(random);
  const nodes = random.chance(0.6) ? 2 : 1;
  const net: LapsingNetwork = {
    scheduler,
    random,
    chain,
    expiresBy: random.chance(0.5) ? "height" : "time",
    window: 4 + random.below(10),
    needsTwo: nodes === 2 && random.chance(0.5),
    packs: random.fork("packing").chance(0.4),
    refused: new Set(),
    broken: { before: 0, after: 0, late: 0.1, signer: 0 },
    moods: Array.from({ length: nodes }, (_, index) => ({
      name: `node${index}`,
      isHasty: random.chance(0.5),
      ...PLAIN_MOOD,
    })),
    onSend: (one) => checkSent(world, one),
    note: trace,
  };
  const weather: Weather = { killed: 0, late: 0.05, lateMs: 8, databaseAwayUntil: 0 };
  const rest = {
    violations: [],
    workers: [],
    owed: new Map(),
    journal: newJournalFile(),
    putBack: null,
    born: 0,
    isCalm: false,
    isOver: false,
  };
  const world: LapsingWorld = { history, scheduler, store: new Store(() => scheduler.now), net, weather, ...rest };
  onWake((payload) => {
    if (!world.isCalm && random.chance(0.2)) return void history.faults.add("wake lost");
    scheduler.after(1, () => {
      for (const { hear } of world.workers) for (const listen of hear) listen(payload);
    });
  });
  return world;
}

/** Every byte that reaches a node is stored, and in the journal for good. */
function checkSent({ violations, journal }: LapsingWorld, { id }: LapsingSigned): void {
  if (!isDurable(journal, id)) violations.push(`sent before it was in the journal for good: ${id}`);
  if (tables().lapsingAttempts.rows.get(id) === undefined) violations.push(`sent before it was stored: ${id}`);
}

export function startLapsingWorker(world: LapsingWorld): void {
  const { history, scheduler, store, net, weather, violations } = world;
  const { random, trace } = history;
  world.born += 1;
  const living = { name: `worker${world.born}`, alive: true, frozenUntil: 0 };
  const gate = new Gate(living, scheduler, random, weather, trace);
  const ctx = {
    db: openPool(store, gate),
    log: logFor(history, violations, living.name),
    meter: { transferMoved: () => {} },
    screener: { isOn: false, screen: async () => [], state: () => ({}) },
  } as unknown as LapsingContext;
  const chain = lapsingChainFor(net, gate);
  const signers = lapsingSignersFor(world, { gate, chain, db: ctx.db, log: ctx.log });
  const engine = createLapsingEngine({
    ctx,
    chains: [chain],
    signers,
    onFinal: noteFinal(world),
    timings: { restMs: 1_000, lookMs: 300 },
  });
  const worker: LapsingWorker = { gate, hear: [], stop: async () => {} };
  world.workers.push(worker);
  gate.onDeath((how) => {
    world.workers.splice(world.workers.indexOf(worker), 1);
    if (how === "exited" || world.isOver) return;
    history.faults.add("kill");
    if (!world.isCalm) scheduler.after(50 + random.below(1_500), () => startLapsingWorker(world));
  });
  scheduler.as(living, () => {
    const listen = async (_: string, onPayload: (payload: string) => void, onListening: () => void) => {
      worker.hear.push((payload) => scheduler.as(living, () => onPayload(payload)));
      onListening();
    };
    const loop = startLoop({ duties: lapsingPaymentDuties(engine), listen, log: ctx.log });
    worker.stop = () => scheduler.as(living, () => loop.stop());
  });
}

/** The owner hears of an end in the very transaction that ends the transfer; that it is paid, not before that is final. */
const noteFinal =
  ({ net: { chain }, violations }: LapsingWorld): OnFinal =>
  async (tx, transfers) => {
    await statement(tx, "tell owners", (view) => {
      for (const { id, state, txHash } of transfers) {
        view.put(tables().announced, { id: randomUUID(), transferId: id, state });
        if (state !== "executed") continue;
        if (chain.placeOf(txHash ?? "", chain.height - chain.depth) === null)
          violations.push(`${id} was reported as executed before it was final`);
      }
    });
  };
