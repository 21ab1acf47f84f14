import { randomUUID } from "node:crypto";
import type { Database } from "#db/client.ts";
import { newId } from "#domain/ids.ts";
import { paymentDuties } from "#server/engines/payments/duties.ts";
import { createTransferEngine, type TransferContext } from "#server/engines/payments/engine.ts";
import { enqueueTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { startLoop } from "#server/worker/loop.ts";
import { type Signed, SimulatedChain, TOKEN } from "./chain.ts";
import { Gate, type Trace, type Weather } from "./gate.ts";
import type { History } from "./history.ts";
import { logFor } from "./log.ts";
import { CHAIN, chainFor, type Network, signerFor, WALLET } from "./nodes.ts";
import { judgePayments, type Owed } from "./payments-judge.ts";
import { planPayments } from "./payments-plan.ts";
import { Scheduler } from "./scheduler.ts";
import { openPool, Store, statement } from "./store.ts";
import { dateOf, makeTables, tables, useTables } from "./tables/rows.ts";
import { onWake } from "./tables/wakes.ts";

/** What a history of payments is made of. */
export type PaymentWorld = {
  history: History;
  scheduler: Scheduler;
  store: Store;
  net: Network;
  weather: Weather;
  owed: Map<string, Owed>;
  workers: Worker[];
  /** Faults are over: nobody dies any more, and all is answered. */
  isCalm: boolean;
  /** Whether somebody else has used the wallet's key. */
  isKeyShared: boolean;
  /** It is judged: what ends now ends with it. */
  isOver: boolean;
  deepForks: number;
  calmAt: number;
  /** When a worker died last. */
  killedAt: number;
  /** Rounds of the engine and wakes, since all is calm. */
  rounds: number;
  wakes: number;
  violations: string[];
};

export type Worker = { gate: Gate; skewMs: number; stop(): Promise<void> };

/** Between a block of the chain and the next. */
const BLOCK_MS = 400;
const DRAIN_LIMIT_MS = 60_000;
/** A payment goes on so soon after every worker was killed (issue: a killed worker stops payments). */
const AFTER_KILL_MS = 5_000;
/** In a quiet hour, from the debt's commit to its signature. */
const QUIET_MS = 750;

/** One history: debts, blocks, faults and deaths as the seed has them, then calm; then the model judges what the chain and the tables say. */
export async function runPayments(history: History): Promise<void> {
  const world = makeWorld(history);
  const { scheduler, weather, random } = { ...world, random: history.random };
  const plan = planPayments(world);
  scheduler.after(BLOCK_MS, () => nextBlock(world));
  for (let count = 0; count < plan.workers; count += 1) startWorker(world);
  await scheduler.run(plan.faultsMs, () => false);
  calm(world);
  const began = scheduler.now;
  // What a fork took back is not missed before it is seen.
  const settleMs = history.faults.has("deep fork") || history.faults.has("revert forgotten") || history.faults.has("fork") ? 4_000 : 0;
  const isDrained = () => world.violations.length > 0 || (world.owed.size === plan.debts && scheduler.now >= began + settleMs && drained());

  await scheduler.run(DRAIN_LIMIT_MS, isDrained);
  judgePace(world, scheduler.now - began);
  if (!isDrained() && !world.isKeyShared)
    world.violations.push(`not done ${Math.round((scheduler.now - began) / 1_000)} s after the last fault: ${left()}`);
  if (world.violations.length === 0 && !world.isKeyShared && random.chance(0.5)) await payInCalm(world);
  weather.late = 0;
  judgePayments(world);
  world.isOver = true;
  for (const { gate } of [...world.workers]) gate.kill();
  history.violations.push(...world.violations);
}

function makeWorld(history: History): PaymentWorld {
  const { random, trace } = history;
  const scheduler = new Scheduler();
  scheduler.take();
  history.clock = () => scheduler.now;
  useTables(makeTables());
  const chain = new SimulatedChain(random);
  const store = new Store(() => scheduler.now);
  const weather: Weather = { killed: 0, late: 0.05, lateMs: 8, databaseAwayUntil: 0 };
  const violations: string[] = [];
  const broken = { before: 0, after: 0, late: 0.1, hang: 0.1, twice: 0, signer: 0 };
  const net: Network = {
    ...{
      scheduler,
      random,
      chain,
      confirmations: 2 + random.below(2),
      broken,
      slowMs: 0,
      treasuryIsEmpty: false,
      refused: new Set<string>(),
    },
    moods: Array.from({ length: random.chance(0.3) ? 2 : 1 }, (_, index) => ({ name: `node${index}`, silentUntil: 0, lag: 0, lies: [] })),
    onSend: (one) => checkSent(chain, violations, one),
    note: trace,
  };
  const rest = {
    rounds: 0,
    wakes: 0,
    workers: [],
    isCalm: false,
    isKeyShared: false,
    isOver: false,
    deepForks: 0,
    killedAt: 0,
    calmAt: 0,
    owed: new Map<string, Owed>(),
  };
  const world = { ...{ history, scheduler, store, net, weather, violations }, ...rest };
  onWake((payload) => notify(world, payload));
  return world;
}

/** Every byte that reaches a node is one that the database has for good; and what was in vain never goes out again. */
function checkSent(chain: SimulatedChain, violations: string[], one: Signed): void {
  const { attempts, transactions, transfers } = tables();
  const attempt = attempts.rows.get(one.hash)?.attempt;
  if (attempt?.rawBytes !== one.raw) violations.push(`sent before it was stored: ${one.hash}, nonce ${one.nonce}`);
  const transaction = transactions.rows.get(attempt?.transactionId ?? "");
  const isOver = transaction?.isSuperseded === true || transfers.rows.get(transaction?.transferId ?? "")?.transfer.state === "failed";
  if (isOver && attempt?.kind === "payment" && one.nonce >= chain.countAt(one.sender, chain.height))
    violations.push(`sent again although it failed or was made anew: ${one.hash}, nonce ${one.nonce}`);
}

/** `pg_notify`: heard a little later, in a bad hour now and then not at all. */
function notify(world: PaymentWorld, payload: string): void {
  const { scheduler, isCalm, history } = world;
  if (!isCalm && history.random.chance(0.2)) return history.faults.add("wake lost");
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

let born = 0;
export function startWorker(world: PaymentWorld): void {
  const { scheduler, store, net, weather, history } = world;
  const { random, trace } = history;
  born = world.workers.length === 0 ? 0 : born + 1;
  const living = { name: `worker${born}`, alive: true, frozenUntil: 0 };
  const gate = new Gate(living, scheduler, random, weather, trace);
  const db = openPool(store, gate);
  const skewMs = random.chance(0.2) ? random.below(1_200_000) - 600_000 : 0;
  const chain = chainFor(net, gate);
  const ctx = {
    ...{
      db,
      clock: { now: () => new Date(dateOf(scheduler.now).getTime() + skewMs) },
      log: logFor(history, world.violations, living.name),
    },
    meter: { transferMoved: () => {}, treasuryBalance: () => {}, chainHead: () => {} },
    evm: { list: () => [chain], find: (name: string) => (name === CHAIN ? chain : null) },
    screener: { isOn: false, screen: async () => [], state: () => ({}) },
    signers: { of: () => [signer] },
  } as unknown as TransferContext;
  const signer = signerFor(net, gate);
  const engine = createTransferEngine({ ctx, workerId: randomUUID(), onFinal: noteFinal(world), pace: { restMs: 1_000, lookMs: 500 } });
  const worker: Worker = { gate, skewMs, stop: async () => {} };
  world.workers.push(worker);
  gate.onDeath(() => {
    world.killedAt = scheduler.now;
    if (!world.isOver) history.faults.add("kill");
    world.workers.splice(world.workers.indexOf(worker), 1);
    if (!world.isCalm) scheduler.after(50 + random.below(1_500), () => startWorker(world));
  });
  scheduler.as(living, () => {
    const listen = async (_: string, onPayload: (payload: string) => void, onListening: () => void) => {
      listeners(worker).add((payload) => scheduler.as(living, () => onPayload(payload)));
      onListening();
    };
    const loop = startLoop({
      duties: paymentDuties(engine),
      listen,
      log: ctx.log,
      onRound: ({ duty }) => void (world.rounds += duty.startsWith("transfers eip") ? 1 : 0),
    });
    worker.stop = () => scheduler.as(living, () => loop.stop());
  });
}

/** Its owner is told in the very transaction that ends a transfer; that it is paid, not before it is as deep as was agreed. */
const noteFinal =
  (world: PaymentWorld): OnFinal =>
  async (tx, transfers) => {
    await statement(tx, "tell owners", (view) => {
      for (const { id, state, txHash } of transfers) {
        view.put(tables().told, { id: randomUUID(), transferId: id, state });
        const { chain, confirmations } = world.net;
        const block = state === "executed" && world.deepForks === 0 ? chain.placeOf(txHash ?? "", chain.height) : undefined;
        if (block === undefined) continue;
        const depth = block === null ? 0 : chain.height - block.height + 1;
        if (depth < confirmations) world.violations.push(`${id} was told as executed ${depth} blocks deep, not ${confirmations}`);
      }
    });
  };

function nextBlock(world: PaymentWorld): void {
  const { scheduler, net, history } = world;
  net.chain.mine(scheduler.now, world.isCalm ? 1 : 0.8);
  history.trace?.(`block ${net.chain.height}: ${net.chain.blocks.at(-1)?.transactionHashes.join(" ")}`);
  scheduler.after(BLOCK_MS / 2 + history.random.below(BLOCK_MS), () => nextBlock(world));
}

/** Whom the debt of that number is to pay, and nobody else is. */
export const recipient = (index: number) => `0x${(0xb000 + index).toString(16).padStart(40, "0")}`;

/** A partner's confirmation owes a payment, in a transaction of the web process. */
export async function owe(world: PaymentWorld, db: Database, index: number): Promise<void> {
  const amountBase = 1_000_000n + BigInt(index);
  const now = dateOf(world.scheduler.now);
  const ownerId = newId("settlement", now);
  const debt = {
    purpose: "settlement",
    ownerId,
    partnerId: null,
    chain: CHAIN,
    currency: "USDT",
    tokenAddress: TOKEN,
    tokenDecimals: 6,
  } as const;
  const { id } = await db.transaction((tx) => enqueueTransfer(tx, { ...debt, amountBase, recipient: recipient(index), now }));
  world.owed.set(id, { id, recipient: recipient(index), amountBase, at: world.scheduler.now });
}

function calm(world: PaymentWorld): void {
  const { weather, net, workers } = world;
  Object.assign(weather, { killed: 0, databaseAwayUntil: 0 });
  Object.assign(net.broken, { before: 0, after: 0, twice: 0, signer: 0, late: 0.05, hang: 0 });
  for (const mood of net.moods) Object.assign(mood, { silentUntil: 0, lag: 0, lies: [] });
  net.treasuryIsEmpty = false;
  for (const [recipient, why] of net.chain.reverting) if (why === "treasury") net.chain.reverting.delete(recipient);
  for (const { gate } of workers) gate.who.frozenUntil = 0;
  Object.assign(world, { calmAt: world.scheduler.now, isCalm: true, rounds: 0, wakes: 0 });
  if (workers.length === 0) startWorker(world);
  world.history.trace?.("calm");
}

/** Each worker looks at the chain five times a second at most while something is underway, and once for each wake. */
function judgePace({ rounds, wakes, workers, violations }: PaymentWorld, ms: number): void {
  const most = workers.length * (ms / 200 + wakes + 12);
  if (rounds > most) violations.push(`${rounds} rounds in ${ms} ms at ${wakes} wakes: at most ${Math.round(most)}`);
}

const left = () =>
  [...tables().transfers.rows.values()]
    .filter(isLeft)
    .map(({ id, transfer, adriftSince }) => `${id} ${transfer.state} ${adriftSince === null ? "" : "adrift "}${transfer.waitingReason}`)
    .join("; ");
const isLeft = ({ dueAt, adriftSince }: { dueAt: number | null; adriftSince: number | null }) => dueAt !== null || adriftSince !== null;
const drained = () => ![...tables().transfers.rows.values()].some(isLeft);

/** In a quiet hour a payment is taken up at once; and soon even where every worker was just killed, in the middle of something. */
async function payInCalm(world: PaymentWorld): Promise<void> {
  const { scheduler, store, weather, history, net } = world;
  const { random } = history;
  const client = new Gate({ name: "client", alive: true, frozenUntil: 0 }, scheduler, history.random, weather, history.trace);
  const db = openPool(store, client);
  const kills = random.chance(0.4);
  // Slow enough for a debt to come in the middle of a round.
  net.slowMs = random.chance(0.5) ? 50 : 0;
  net.broken.late = 0;
  await scheduler.run(100 + history.random.below(1_500), () => false);
  if (kills) {
    for (const { gate } of [...world.workers]) gate.kill();
    startWorker(world);
  }
  const before = world.owed.size;
  scheduler.after(history.random.below(kills ? 1 : 400), () => void owe(world, db, 500));
  const isSigned = () =>
    [...tables().transfers.rows.values()].some(({ transfer }) => transfer.amountBase === 1_000_500n && transfer.state !== "queued");
  await scheduler.run(10_000, () => world.owed.size > before);
  const owedAt = scheduler.now;
  await scheduler.run(DRAIN_LIMIT_MS, isSigned);
  // A call of the bad hour may still hang.
  const isSoon = owedAt - Math.max(world.killedAt, world.calmAt) < AFTER_KILL_MS;
  const [took, limit] = [scheduler.now - owedAt, isSoon ? AFTER_KILL_MS : QUIET_MS];
  if (!isSigned() || took > limit)
    world.violations.push(`a payment ${isSoon ? "after the last fault" : "in a quiet hour"} was signed after ${took} ms, not ${limit}`);
  await scheduler.run(DRAIN_LIMIT_MS, drained);
}

export const isOurs = ({ sender }: Signed) => sender === WALLET;
