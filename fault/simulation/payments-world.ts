import { randomUUID } from "node:crypto";
import { NO_TRACER } from "#domain/tracer.ts";
import { openJournal } from "#server/adapters/journal/open-journal.ts";
import { paymentDuties } from "#server/engines/payments/duties.ts";
import { createTransferEngine, type TransferContext } from "#server/engines/payments/engine.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { localSigners } from "#server/signer/local-signers.ts";
import { openSeal } from "#server/signer/seal.ts";
import { startLoop } from "#server/worker/loop.ts";
import { SimulatedChain } from "./chain.ts";
import type { Signed } from "./contents.ts";
import { completeOrders, dutiesOfOrders, type OrderPowers } from "./fiat-engine.ts";
import { deriveAll } from "./fiat-world.ts";
import { Gate, type Weather } from "./gate.ts";
import type { History } from "./history.ts";
import { crashDisk, isDurable, journalDisk, newJournalFile } from "./journal-disk.ts";
import { logFor } from "./log.ts";
import { CHAIN, chainFor, type Network, signersFor, WALLETS } from "./nodes.ts";
import { deriveFrom } from "./orders.ts";
import { Scheduler } from "./scheduler.ts";
import { openPool, Store, statement } from "./store.ts";
import { dateOf, layTables, makeTables, tables } from "./tables/rows.ts";
import { onWake } from "./tables/wakes.ts";
import type { Owed, PaymentWorld, Worker } from "./world.ts";

export type { PaymentWorld } from "./world.ts";

/** Every process opens what another one has closed. */
const SEAL = openSeal(() => Buffer.alloc(32, 7));

/** An empty world, without a worker yet. */
export function makeWorld(history: History, wallets = 1): PaymentWorld {
  const { random, trace } = history;
  const scheduler = new Scheduler();
  scheduler.take();
  history.clock = () => scheduler.now;
  layTables(makeTables());
  const chain = new SimulatedChain(random);
  const store = new Store(() => scheduler.now);
  const weather: Weather = { killed: 0, late: 0.05, lateMs: 8, databaseAwayUntil: 0 };
  const violations: string[] = [];
  const broken = { before: 0, after: 0, late: 0.1, hang: 0.1, twice: 0, signer: 0 };
  const net: Network = {
    scheduler,
    random,
    chain,
    wallets: WALLETS.slice(0, wallets),
    confirmations: 2 + random.below(2),
    broken,
    slowMs: 0,
    treasuryIsEmpty: false,
    isPacking: false,
    refused: new Set<string>(),
    moods: Array.from({ length: random.chance(0.3) ? 2 : 1 }, (_, index) => ({
      name: `node${index}`,
      silentUntil: 0,
      lag: 0,
      lies: [],
      minedLies: 0,
      refusals: 0,
      countsAtMost: new Map(),
    })),
    onSend: (one) => checkSent(world, one),
    note: trace,
  };
  const rest = {
    journal: newJournalFile(),
    fiat: null,
    putBack: null,
    forkingUntil: 0,
    born: 0,
    rounds: 0,
    wakes: 0,
    looked: new Set<string>(),
    workers: [],
    isCalm: false,
    foreign: new Set<string>(),
    isOver: false,
    thawedAt: 0,
    killedAt: 0,
    calmAt: 0,
    owed: new Map<string, Owed>(),
    orders: new Map(),
    forgery: null,
  };
  const world: PaymentWorld = { history, scheduler, store, net, weather, violations, ...rest };
  onWake((payload) => notify(world, payload));
  return world;
}

/** Every byte that reaches a node is one that database and journal have for good; and superseded bytes never go out again. */
function checkSent({ net: { chain }, violations, journal, putBack }: PaymentWorld, one: Signed): void {
  if (!isDurable(journal, one.hash)) violations.push(`sent before it was in the journal for good: ${one.hash}, nonce ${one.nonce}`);
  if (putBack?.lost.has(one.hash)) return;
  const { attempts, transactions, transfers } = tables();
  const attempt = attempts.rows.get(one.hash)?.attempt;
  if (attempt === undefined) violations.push(`sent before it was stored: ${one.hash}, nonce ${one.nonce}`);
  const transaction = transactions.rows.get(attempt?.transactionId ?? "");
  const isOver = transaction?.isSuperseded === true || transfers.rows.get(transaction?.transferId ?? "")?.transfer.state === "failed";
  if (isOver && attempt?.kind === "payment" && one.nonce >= chain.countAt(one.sender, chain.height))
    violations.push(`sent again although it failed or was made again: ${one.hash}, nonce ${one.nonce}`);
}

/** `pg_notify`: heard a little later, in a bad hour now and then not at all. */
function notify(world: PaymentWorld, payload: string): void {
  const { scheduler, isCalm, history } = world;
  if (!isCalm && history.random.chance(0.2)) return void history.faults.add("wake lost");
  scheduler.after(1, () => {
    world.wakes += 1;
    for (const listener of world.workers.flatMap((worker) => [...listeners(worker)])) listener(payload);
  });
}

const heard = new WeakMap<Worker, Set<(payload: string) => void>>();
function listeners(worker: Worker): Set<(payload: string) => void> {
  const own = heard.get(worker) ?? new Set();
  heard.set(worker, own);
  return own;
}

export function startWorker(world: PaymentWorld): void {
  const { scheduler, store, net, weather, history } = world;
  const { random, trace } = history;
  world.born += 1;
  const living = { name: `worker${world.born}`, alive: true, frozenUntil: 0 };
  const gate = new Gate(living, scheduler, random, weather, trace);
  const db = openPool(store, gate);
  const skewMs = random.chance(0.2) ? random.below(1_200_000) - 600_000 : 0;
  const chain = chainFor(net, gate);
  const powers = {
    db,
    mode: "live",
    clock: { now: () => new Date(dateOf(scheduler.now).getTime() + skewMs) },
    log: logFor(history, world.violations, living.name),
    tracer: NO_TRACER,
    meter: { transferMoved: () => {}, settlementExecuted: () => {}, treasuryBalance: () => {}, chainHead: () => {} },
    evm: { list: () => [chain], find: (name: string) => (name === CHAIN ? chain : null) },
    screener: { isOn: false, screen: async () => [], state: () => ({}) },
  } as unknown as TransferContext & OrderPowers;
  const keys = signersFor(net, gate);
  const disk = journalDisk(
    world.journal,
    gate,
    () => scheduler.now,
    () => random.next(),
  );
  const desk = {
    keys: { of: () => keys },
    lapsingKeys: { of: () => [] },
    journal: openJournal(disk, 1),
    seal: SEAL,
    findUnowed: world.fiat === null ? deriveFrom(world.orders) : deriveAll(world),
  };
  const ctx = { ...powers, signers: localSigners({ ctx: { ...powers, lapsing: { list: () => [], find: () => null } }, ...desk }) };
  const timings = { restMs: 1_000, lookMs: 500 };
  const engine = createTransferEngine({ ctx, workerId: randomUUID(), onFinal: noteFinal(world), timings });
  const worker: Worker = { gate, skewMs, stop: async () => {} };
  world.workers.push(worker);
  gate.onDeath((how) => {
    world.workers.splice(world.workers.indexOf(worker), 1);
    if (how === "exited") return;
    // With the last process the machine may have gone, too.
    if (world.workers.length === 0 && !world.isOver && random.chance(0.5)) crashDisk(world.journal, random.next());
    world.killedAt = scheduler.now;
    if (!world.isOver) history.faults.add("kill");
    if (!world.isCalm) scheduler.after(50 + random.below(1_500), () => startWorker(world));
  });
  scheduler.as(living, () => {
    const listen = async (_: string, onPayload: (payload: string) => void, onListening: () => void) => {
      listeners(worker).add((payload) => scheduler.as(living, () => onPayload(payload)));
      onListening();
    };
    const loop = startLoop({
      duties: [...paymentDuties(engine), ...dutiesOfOrders(world, gate, ctx)],
      listen,
      log: ctx.log,
      onRound: ({ duty }) => {
        if (!duty.startsWith("transfers eip")) return;
        world.rounds += 1;
        world.looked.add(living.name);
      },
    });
    worker.stop = () => scheduler.as(living, () => loop.stop());
  });
}

/** Its owner is notified in the very transaction that ends a transfer; that it is paid, not before it is as deep as was agreed. */
const noteFinal =
  (world: PaymentWorld): OnFinal =>
  async (tx, transfers) => {
    await statement(tx, "tell owners", (view) => {
      for (const { id, state, txHash } of transfers) {
        view.put(tables().announced, { id: randomUUID(), transferId: id, state });
        const { chain, confirmations } = world.net;
        // It may have been taken back a moment ago: who reports it has read the blocks before.
        if (state !== "executed" || chain.takenBack.has(txHash ?? "")) continue;
        const block = chain.placeOf(txHash ?? "", chain.height);
        const depth = block === null ? 0 : chain.height - block.height + 1;
        if (depth < confirmations) world.violations.push(`${id} was reported as executed ${depth} blocks deep, not ${confirmations}`);
      }
    });
    await completeOrders(tx, transfers);
  };
