import type { Database } from "#db/client.ts";
import { newId } from "#domain/ids.ts";
import { enqueueTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import { Gate } from "./gate.ts";
import { USD } from "./lapsing-chain.ts";
import { LAPSING_CHAIN, type LapsingMood, PLAIN_MOOD } from "./lapsing-nodes.ts";
import { type LapsingWorld, startLapsingWorker } from "./lapsing-world.ts";
import { openPool } from "./store.ts";
import { dateOf } from "./tables/rows.ts";

const RECIPIENTS = ["0xb0", "0xb1", "0xb2"];

/** `most`: how often in a history. */
type Kind = { kind: string; share: number; most?: number; begin(world: LapsingWorld): void };

/** A mood of a node for a while. `Lies`: of the one node that lies in a history, where there are two. */
function mood(kind: string, share: number, of: (world: LapsingWorld) => Partial<LapsingMood>, isLie = false): Kind {
  return {
    kind,
    share,
    begin(world) {
      const { net, scheduler, history } = world;
      if (isLie && net.moods.length < 2) return;
      const node = isLie ? net.moods[0] : history.random.pick(net.moods);
      if (node === undefined) return;
      const changed = of(world);
      history.faults.add(kind);
      Object.assign(node, changed);
      // An address that leads to another chain does so for longer than any call takes.
      if ("isOther" in changed) return;
      scheduler.after(500 + history.random.below(7_000), () => {
        for (const key of Object.keys(changed)) Object.assign(node, { [key]: PLAIN_MOOD[key as keyof typeof PLAIN_MOOD] });
      });
    },
  };
}

/** How a bad hour is drawn: each kind of fault with the share of histories that have it. Of two nodes at most one lies. */
const KINDS: readonly Kind[] = [
  mood("lag", 0.4, ({ history }) => ({ lag: 1 + history.random.below(8) })),
  mood("node silent", 0.3, ({ history, scheduler }) => ({ silentUntil: scheduler.now + history.random.below(5_000) })),
  mood("forgets", 0.3, ({ net, history }) => ({
    floor: history.random.chance(0.2) ? null : net.chain.height + 1 - history.random.below(3),
  })),
  mood("hides", 0.4, () => ({ hides: true }), true),
  mood("another chain", 0.15, () => ({ isOther: true })),
  mood("names an early expiry", 0.2, () => ({ namesEarly: true }), true),
  mood("claims failed", 0.15, () => ({ claims: "failed" }), true),
  mood("claims paid", 0.3, ({ net }) => ({ claims: net.needsTwo ? "paid" : null }), true),
  mood("refuses", 0.2, () => ({ refusals: 3 }), true),
  {
    kind: "fork",
    share: 0.6,
    most: 12,
    begin: ({ net, scheduler, history }) => {
      history.faults.add("fork");
      net.chain.fork(scheduler.now);
    },
  },
  {
    kind: "pool forgotten",
    share: 0.5,
    begin: ({ net, history }) => {
      history.faults.add("pool forgotten");
      net.chain.waiting.clear();
    },
  },
  {
    kind: "calls break",
    share: 0.4,
    begin: ({ net, history: { random, faults } }) => {
      faults.add("calls break");
      Object.assign(net.broken, { before: random.next() * 0.15, after: random.next() * 0.15, signer: random.next() * 0.05 });
    },
  },
  {
    kind: "database away",
    share: 0.15,
    begin: ({ weather, history: { random, faults }, scheduler }) => {
      faults.add("database away");
      weather.databaseAwayUntil = scheduler.now + random.below(1_000);
    },
  },
  {
    kind: "freeze",
    share: 0.2,
    begin: ({ workers, history: { random, faults }, scheduler }) => {
      if (workers.length === 0) return;
      faults.add("freeze");
      random.pick(workers).gate.who.frozenUntil = scheduler.now + random.below(9_000);
    },
  },
  {
    kind: "rolling restart",
    share: 0.15,
    begin: (world) => {
      const [old] = world.workers;
      if (old === undefined) return;
      world.history.faults.add("rolling restart");
      startLapsingWorker(world);
      void old.stop().then(() => old.gate.exit());
    },
  },
  {
    kind: "token freezes",
    share: 0.1,
    begin: ({ net, history: { random, faults } }) => {
      faults.add("token freezes");
      net.chain.frozen.add(random.pick(RECIPIENTS));
    },
  },
  {
    kind: "token moves less",
    share: 0.05,
    begin: ({ net, history: { random, faults } }) => {
      faults.add("token moves less");
      net.chain.short.add(random.pick(RECIPIENTS));
    },
  },
];

/** What happens in the bad hour, and when. */
export function planLapsing(world: LapsingWorld): { faultsMs: number; payments: number } {
  const { history, scheduler, store, weather, net } = world;
  const { random } = history;
  const faultsMs = 3_000 + random.below(9_000);
  const payments = 1 + random.below(4);
  weather.killed = random.chance(0.5) ? random.next() * 0.02 : 0;
  weather.late = random.chance(0.5) ? 0.2 : 0.04;
  if (random.chance(0.15)) net.refused = new Set([random.pick(RECIPIENTS)]);
  // Enough for one or two of them, until the treasury is filled again.
  if (random.chance(0.2)) {
    history.faults.add("treasury short");
    net.chain.fund = 2_500_000n;
  }
  const web = new Gate({ name: "web", alive: true, frozenUntil: 0 }, scheduler, random, { ...weather, killed: 0 }, history.trace);
  const db = openPool(store, web);
  const together = random.chance(0.4) ? random.below(faultsMs / 2) : null;
  for (let index = 0; index < payments; index += 1)
    scheduler.after(together ?? random.below(faultsMs / 2), () => void createPayment(world, db));
  for (const { kind, share, most = 2, begin } of KINDS) {
    if (!random.chance(share)) continue;
    for (let time = 1 + random.below(most); time > 0; time -= 1)
      scheduler.after(random.below(faultsMs), () => {
        if (world.isCalm) return;
        history.trace?.(`fault: ${kind}`);
        begin(world);
      });
  }
  for (let count = random.chance(0.3) ? 2 : 1; count > 0; count -= 1) startLapsingWorker(world);
  return { faultsMs, payments };
}

/** Often to the same recipient, and often the same amount. */
async function createPayment(world: LapsingWorld, db: Database): Promise<void> {
  const { random } = world.history;
  const amountBase = 1_000_000n + BigInt(random.below(2));
  const recipient = random.pick(RECIPIENTS);
  const now = dateOf(world.scheduler.now);
  const ownerId = newId("settlement", now);
  const asset = { chain: LAPSING_CHAIN, currency: "USDT", tokenAddress: USD, tokenDecimals: 6 };
  const payment = { ...asset, purpose: "settlement", ownerId, partnerId: null } as const;
  const { id } = await db.transaction((tx) => enqueueTransfer(tx, { ...payment, amountBase, recipient, now }));
  world.owed.set(id, { id, recipient, amountBase, at: world.scheduler.now, reference: ownerId });
}
