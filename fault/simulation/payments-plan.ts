import { cancellationOf } from "#domain/evm-intent.ts";
import { GWEI } from "./chain.ts";
import { createPayment, recipient } from "./create-payment.ts";
import { planForgedSteps, planOrders } from "./fiat-plan.ts";
import { Gate } from "./gate.ts";
import { planFullDisk, planRefusals, planReverts, planSibling } from "./more-faults.ts";
import { type PaymentWorld, startWorker } from "./payments-world.ts";
import { APART, planPutBack } from "./put-back.ts";
import { openPool } from "./store.ts";

/** So long after a revert the chain forgets it. */
export const LAST_FORK_MS = 2_500;

/** How a bad hour is drawn: each kind of fault with the share of histories that have it, and what it does. */
const KINDS: readonly { kind: string; share: number; begin(world: PaymentWorld): void }[] = [
  { kind: "fork", share: 0.35, begin: (world) => fork(world, 1 + world.history.random.below(world.net.confirmations - 1)) },
  { kind: "deep fork", share: 0.12, begin: (world) => fork(world, world.net.confirmations + world.history.random.below(8)) },
  { kind: "forgotten", share: 0.25, begin: ({ net, history }) => forget(net.chain.waiting, () => history.random.chance(0.7)) },
  {
    kind: "fees rise",
    share: 0.15,
    begin: ({ net, scheduler }) => {
      net.chain.baseFee = 40n * GWEI;
      scheduler.after(6_000, () => {
        net.chain.baseFee = 10n * GWEI;
      });
    },
  },
  {
    kind: "count lies",
    share: 0.35,
    begin: ({ net, history: { random } }) => {
      const by = random.chance(0.6) ? 1 + random.below(3) : -1 - random.below(3);
      // One answer, or two in a row: what cannot be undone needs a third.
      random.pick(net.moods).lies = random.chance(0.3) ? [by, by] : [by];
    },
  },
  {
    kind: "forgotten, and counted",
    share: 0.04,
    begin: ({ net, history: { random } }) => {
      // What was sent is gone, and the node counts it as mined, four times. It counts correctly at each height.
      net.chain.waiting.clear();
      random.pick(net.moods).minedLies = 4;
    },
  },
  {
    kind: "head behind",
    share: 0.2,
    begin: ({ net, history: { random }, scheduler }) => {
      const mood = random.pick(net.moods);
      mood.lag = 1 + random.below(4);
      scheduler.after(random.below(2_000), () => {
        mood.lag = 0;
      });
    },
  },
  {
    kind: "node silent",
    share: 0.2,
    begin: ({ net, history: { random }, scheduler }) => {
      random.pick(net.moods).silentUntil = scheduler.now + random.below(3_000);
    },
  },
  {
    kind: "calls break",
    share: 0.4,
    begin: ({ net, history: { random } }) => {
      Object.assign(net.broken, {
        before: random.next() * 0.1,
        after: random.next() * 0.1,
        twice: random.next() * 0.1,
        signer: random.next() * 0.05,
      });
    },
  },
  {
    kind: "database away",
    share: 0.15,
    begin: ({ weather, history: { random }, scheduler }) => {
      weather.databaseAwayUntil = scheduler.now + random.below(1_000);
    },
  },
  {
    kind: "freeze",
    share: 0.15,
    begin: ({ workers, history: { random }, scheduler }) => {
      if (workers.length > 0) random.pick(workers).gate.who.frozenUntil = scheduler.now + random.below(6_000);
    },
  },
  {
    kind: "rolling restart",
    share: 0.15,
    begin: (world) => {
      const [old] = world.workers;
      if (old === undefined) return;
      startWorker(world);
      void old.stop().then(() => old.gate.exit());
    },
  },
  {
    kind: "treasury empty",
    share: 0.1,
    begin: ({ net, scheduler }) => {
      net.treasuryIsEmpty = true;
      scheduler.after(1_500, () => {
        net.treasuryIsEmpty = false;
      });
    },
  },
  {
    kind: "reverts",
    share: 0.1,
    begin: ({ net, history: { random } }) => {
      net.chain.reverting.set(recipient(random.below(3)), random.chance(0.5) ? "own" : "treasury");
    },
  },
  {
    kind: "revert forgotten",
    share: 0.03,
    begin: (world) => {
      // A payment reverts for no fault of its own, is made again once that is final, and then the chain forgets all of it.
      world.net.chain.reverting.set(recipient(0), "treasury");
      world.scheduler.after(LAST_FORK_MS, () => {
        const { net, scheduler } = world;
        net.chain.fork(scheduler.now, { depth: net.confirmations + 6, kept: world.history.random.pick([0, 0.5, 1]), isDeep: true });
      });
    },
  },
  {
    kind: "key shared",
    share: 0.02,
    begin: (world) => {
      const { net } = world;
      const wallet = net.wallets.at(-1) ?? "";
      const nonce = net.chain.countAt(wallet, net.chain.height);
      const raw = net.chain.sign(wallet, {
        ...cancellationOf(wallet),
        nonce,
        gasLimit: 21_000n,
        maxFeePerGas: 900n * GWEI,
        maxPriorityFeePerGas: GWEI,
      });
      const one = net.chain.signed.get(raw);
      if (one === undefined) return;
      net.chain.waiting.set(one.hash, one);
      world.foreign.add(one.hash);
    },
  },
];

/** What happens in the bad hour, and when. */
export function planPayments(world: PaymentWorld): { faultsMs: number; workers: number; payments: number; orders: number } {
  const { history, scheduler, store, weather, net } = world;
  const { random } = history;
  const faultsMs = 800 + random.below(2_500);
  const { isPacking } = net;
  const payments = isPacking ? 2 + random.below(8) : 1 + random.below(4) + (net.wallets.length - 1) * random.below(4);
  const workers = random.chance(0.3) ? 2 : 1;
  weather.killed = random.chance(0.5) ? random.next() * 0.012 : 0;
  weather.late = random.chance(0.5) ? 0.2 : 0.04;
  const web = new Gate({ name: "web", alive: true, frozenUntil: 0 }, scheduler, random, { ...weather, killed: 0 }, history.trace);
  const db = openPool(store, web);
  // What is packed is due together: in the first half of the hour, or all over it.
  const together = isPacking ? random.below(faultsMs / 2) : null;
  for (let index = 0; index < payments; index += 1)
    scheduler.after(
      together === null || (isPacking && random.chance(0.2)) ? random.below(faultsMs) : together,
      () => void createPayment(world, db, index),
    );
  // Most wallets have let the contract move their tokens long ago.
  if (isPacking) net.chain.allowed = random.chance(0.8);
  for (const { kind, share, begin } of KINDS) {
    if (!random.chance(share)) continue;
    // Three wrong counts at different heads are believed: that is more than is promised against.
    if (kind === "forgotten, and counted" && history.faults.has("count lies")) continue;
    // What may be made again for a reason of the chain's own is another story.
    if (world.fiat !== null && APART.includes(kind)) continue;
    history.faults.add(kind);
    scheduler.after(random.below(faultsMs), () => {
      if (world.isCalm) return;
      history.trace?.(`fault: ${kind}`);
      begin(world);
    });
  }
  planRefusals(world, faultsMs);
  planReverts(world, faultsMs);
  planFullDisk(world, faultsMs);
  planSibling(world);
  planPutBack(world, faultsMs);
  const orders = world.fiat === null ? 0 : planOrders(world, db, faultsMs);
  planForgedSteps(world, faultsMs);
  return { faultsMs, workers, payments, orders };
}

function fork(world: PaymentWorld, depth: number): void {
  const { net, scheduler, history } = world;
  net.chain.fork(scheduler.now, { depth, kept: history.random.pick([0, 0.5, 1]), isDeep: depth >= net.confirmations });
}

function forget(waiting: Map<string, unknown>, isGone: () => boolean): void {
  for (const hash of [...waiting.keys()]) if (isGone()) waiting.delete(hash);
}
