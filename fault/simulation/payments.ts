import { createPayment } from "./create-payment.ts";
import { areOrdersEnded, judgeOrders, judgeOrdersSafe } from "./fiat-judge.ts";
import { openFiat } from "./fiat-world.ts";
import { judgeForgery, planForgery } from "./forged-rows.ts";
import { Gate } from "./gate.ts";
import type { History } from "./history.ts";
import { isHaltedByFork, isKeyUsed, isOrphanedForGood, isPaidInVain, judgePayments } from "./payments-judge.ts";
import { LAST_FORK_MS, planPayments } from "./payments-plan.ts";
import { makeWorld, type PaymentWorld, startWorker } from "./payments-world.ts";
import { judgePutBack, WATCHED_MS } from "./put-back.ts";
import { openPool } from "./store.ts";
import { type TransferRow, tables } from "./tables/rows.ts";

/** Between a block of the chain and the next. */
const BLOCK_MS = 400;
const DRAIN_LIMIT_MS = 60_000;
/** A provider that did not answer four times is asked again after a minute. */
const ORDERS_LIMIT_MS = 400_000;
/** A payment goes on so soon after every worker was killed (issue: a killed worker stops payments). */
const AFTER_KILL_MS = 5_000;
/** In a quiet hour, from the commit of a payment to its signature. */
const QUIET_MS = 750;
/** The hour is quiet once the last call of the bad one has answered (`nodes.ts`: it hangs two seconds at most), with the pass that waited for it. */
const HUSH_MS = 2_600;

/** One history: payments, blocks, faults and deaths as the seed has them, then calm; then the model judges what the chain and the tables say. */
export async function runPayments(history: History, { isPacking = false, wallets = 1, hasOrders = false } = {}): Promise<void> {
  const world = makeWorld(history, wallets);
  world.net.isPacking = isPacking;
  if (hasOrders) world.fiat = openFiat(world);
  const { scheduler, weather, random } = { ...world, random: history.random };
  const plan = planPayments(world);
  planForgery(world, plan.faultsMs);
  scheduler.after(BLOCK_MS, () => nextBlock(world));
  for (let count = 0; count < plan.workers; count += 1) startWorker(world);
  await scheduler.run(plan.faultsMs, () => false);
  calm(world);
  const { putBack, forgery, fiat } = world;
  if (putBack !== null) return await endWatched(world, () => judgePutBack(world, putBack));
  if (fiat?.isForged) return await endWatched(world, () => {});
  if (forgery !== null) return await endWatched(world, () => judgeForgery(world, forgery));
  const began = scheduler.now;
  const isDrained = () =>
    world.violations.length > 0 ||
    (world.owed.size === plan.payments && !isForking(world) && drained(world) && areAllOrdersEnded(world, plan.orders));

  await scheduler.run(hasOrders ? ORDERS_LIMIT_MS : DRAIN_LIMIT_MS, isDrained);
  judgeTimings(world, scheduler.now - began);
  if (!isDrained() && !isKeyUsed(world))
    world.violations.push(`not done ${Math.round((scheduler.now - began) / 1_000)} s after the last fault: ${left(world)}`);
  const isPlain = world.violations.length === 0 && !isKeyUsed(world) && !isHaltedByFork() && fiat === null;
  if (isPlain && random.chance(0.5)) await payInCalm(world);
  weather.late = 0;
  judgePayments(world);
  if (fiat !== null) judgeOrders(world);
  world.isOver = true;
  for (const { gate } of [...world.workers]) gate.kill();
  history.violations.push(...world.violations);
}

/** Whatever became of it, and whatever people did: it is judged after a while. */
async function endWatched(world: PaymentWorld, judge: () => void): Promise<void> {
  await world.scheduler.run(WATCHED_MS, () => world.violations.length > 0);
  judge();
  if (world.fiat !== null) judgeOrdersSafe(world);
  world.isOver = true;
  for (const { gate } of [...world.workers]) gate.kill();
  world.history.violations.push(...world.violations);
}

function nextBlock(world: PaymentWorld): void {
  const { scheduler, net, history } = world;
  net.chain.mine(scheduler.now, world.isCalm ? 1 : 0.8);
  history.trace?.(`block ${net.chain.height}: ${net.chain.blocks.at(-1)?.transactionHashes.join(" ")}`);
  scheduler.after(BLOCK_MS / 2 + history.random.below(BLOCK_MS), () => nextBlock(world));
}

function calm(world: PaymentWorld): void {
  const { weather, net, workers } = world;
  Object.assign(weather, { killed: 0, databaseAwayUntil: 0 });
  Object.assign(net.broken, { before: 0, after: 0, twice: 0, signer: 0, late: 0.05, hang: 0 });
  for (const mood of net.moods) Object.assign(mood, { silentUntil: 0, lag: 0, lies: [], minedLies: 0, refusals: 0 });
  net.treasuryIsEmpty = false;
  for (const [recipient, why] of net.chain.reverting) if (why === "treasury") net.chain.reverting.delete(recipient);
  for (const { gate } of workers) {
    world.thawedAt = Math.max(world.thawedAt, gate.who.frozenUntil);
    gate.who.frozenUntil = 0;
  }
  Object.assign(world, { calmAt: world.scheduler.now, isCalm: true, rounds: 0, wakes: 0 });
  world.looked.clear();
  if (workers.length === 0) startWorker(world);
  world.history.trace?.("calm");
}

/**
 * Each worker that was alive looks at the chain five times a second at most while something is underway, once for each wake, and once each as
 * it begins, as all becomes calm, and as it ends.
 */
function judgeTimings({ rounds, wakes, looked, violations }: PaymentWorld, ms: number): void {
  const most = looked.size * (ms / 200 + wakes + 3);
  if (rounds > most) violations.push(`${rounds} rounds in ${ms} ms at ${wakes} wakes: at most ${Math.round(most)}`);
}

const areAllOrdersEnded = (world: PaymentWorld, count: number) =>
  world.fiat === null || (world.fiat.wanted.size === count && areOrdersEnded(world));

const left = (world: PaymentWorld) =>
  [
    ...[...tables().transfers.rows.values()]
      .filter((row) => isLeft(world, row))
      .map(
        ({ id, transfer, orphanedSince }) =>
          `${id} ${transfer.state} ${orphanedSince === null ? "" : "orphaned "}${transfer.waitingReason}`,
      ),
    ...[...tables().places.rows.values()].map(({ transferId }) => `${transferId} has a nonce in the air`),
  ].join("; ");

/** What people have to see to is not waited for: what reverted as it was mined again, and what a halted wallet does not sign. */
function isLeft(world: PaymentWorld, { dueAt, orphanedSince, transfer }: TransferRow): boolean {
  if (dueAt !== null) return !(transfer.state === "queued" && isHaltedByFork());
  return orphanedSince !== null && !isOrphanedForGood(world, transfer) && !isPaidInVain(world, transfer);
}

/** "Revert forgotten" forks the chain so long after it began, which may be in calm. */
const isForking = ({ history, scheduler, calmAt, forkingUntil }: PaymentWorld) =>
  scheduler.now <= forkingUntil || (history.faults.has("revert forgotten") && scheduler.now < calmAt + LAST_FORK_MS);

/** Whether somebody has read every block that the database remembers on the chain as it is now. */
const isForkSeen = ({ net: { chain } }: PaymentWorld) =>
  [...tables().cursors.rows.values()].every(({ height, hash }) => chain.blocks[height]?.hash === hash);

const drained = (world: PaymentWorld) =>
  isForkSeen(world) && tables().places.rows.size === 0 && ![...tables().transfers.rows.values()].some((row) => isLeft(world, row));

/** In a quiet hour a payment is taken up at once; and soon even where every worker was just killed, in the middle of something. */
async function payInCalm(world: PaymentWorld): Promise<void> {
  const { scheduler, store, weather, history, net } = world;
  const { random } = history;
  const client = new Gate({ name: "client", alive: true, frozenUntil: 0 }, scheduler, history.random, weather, history.trace);
  const db = openPool(store, client);
  const kills = random.chance(0.4);
  // Slow enough for a payment to come in the middle of a round.
  net.slowMs = random.chance(0.5) ? 50 : 0;
  net.broken.late = 0;
  const quietAt = Math.max(world.killedAt + AFTER_KILL_MS, Math.max(world.calmAt, world.thawedAt) + HUSH_MS);
  const wait = net.slowMs > 0 && !kills ? Math.max(0, quietAt - scheduler.now) : 100;
  await scheduler.run(wait + random.below(1_500), () => false);
  if (kills) {
    for (const { gate } of [...world.workers]) gate.kill();
    startWorker(world);
  }
  const before = world.owed.size;
  scheduler.after(history.random.below(kills ? 1 : 400), () => void createPayment(world, db, 500));
  const isSigned = () =>
    [...tables().transfers.rows.values()].some(({ transfer }) => transfer.amountBase === 1_000_500n && transfer.state !== "queued");
  await scheduler.run(10_000, () => world.owed.size > before);
  const owedAt = scheduler.now;
  await scheduler.run(DRAIN_LIMIT_MS, isSigned);
  const isSoon = owedAt < quietAt || kills;
  const [took, limit] = [scheduler.now - owedAt, isSoon ? AFTER_KILL_MS : QUIET_MS];
  if (!isSigned() || took > limit)
    world.violations.push(`a payment ${isSoon ? "after the last fault" : "in a quiet hour"} was signed after ${took} ms, not ${limit}`);
  await scheduler.run(DRAIN_LIMIT_MS, () => drained(world));
}
