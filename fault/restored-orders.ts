import { alike, type Outcome, rule } from "#fault/outcome.ts";
import { createFiatEngine, FIAT_STEPS, type SweepRequest } from "#server/engines/fiat-orders/engine.ts";
import { runOrdersOnce } from "#server/engines/fiat-orders/run-orders.ts";
import { TRANSFER_STEPS } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { planSweep } from "#server/engines/payments/signing/plan-sweep.ts";
import type { FiatAnswer, FiatRail } from "#server/ports.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { Died, mortal } from "#testing/death.ts";
import { onlyRail } from "#testing/fiat.ts";
import { openMoneyStage } from "#testing/money-stage.ts";
import { newAddress } from "#testing/transfers.ts";
import type { Scene } from "./experiment.ts";
import { repair } from "./repair.ts";
import { paymentsOn } from "./truth.ts";

const WALLETS = [1, 2, 3] as const;
const DOOMED_PASSES = 14;
const LIVING_PASSES = 24;
const WATCHED_PASSES = 8;
const AMOUNT_MINOR = 100_000n;
/** A settlement, a top-up, the sweep of a withdrawal. */
const OWED = 3;

/** Steps that each run reaches; the others belong to higher fees, reorgs and held payments. */
const STEPS = [...FIAT_STEPS, ...TRANSFER_STEPS.filter((step) => !/^(?:held|bump_|forfeit_)/.test(step))];
type Step = (typeof STEPS)[number];
type Case = { step: Step; wallets: number };
type Seen = Case & { reached: boolean; first: number; again: number; afterwards: number; paidOut: number; isSeen: boolean };

/**
 * A settlement, a top-up and a withdrawal are in progress when their worker dies at a step. The database as it is then comes back once everything
 * is done. Its provider remembers, and people lift the halts.
 */
export async function restoredOrders(scene: Scene): Promise<{ own: Outcome[]; counts: string }> {
  const all: Case[] = STEPS.flatMap((step) => WALLETS.map((wallets) => ({ step, wallets })));
  // The short form takes any one of them.
  const cases = scene.pick(all, scene.random.fork("restored-orders").shuffled(all).slice(0, 1));
  const seen: Seen[] = [];
  for (const one of cases) {
    // A chain of its own: the owner of the test tokens funds only so many wallets.
    const chain = await startTestChain({ noMining: true });
    try {
      seen.push(await comeBack(scene, chain, one));
    } finally {
      await chain.stop();
    }
    if (seen.length % 10 === 0) scene.say(`orders in progress: ${seen.length} of ${cases.length} restores`);
  }
  const nameOf = ({ step, wallets }: Case) => `${step}, ${wallets} wallets`;
  const each = (name: string, title: string, isSo: (one: Seen) => boolean) =>
    rule(name, title, seen, (one) => (isSo(one) ? [] : [`${nameOf(one)}: ${JSON.stringify(one)}`]));
  return {
    own: [
      each(
        "orders_in_every_step",
        "a worker died at the step, and everything was done before the restore",
        (one) => one.reached && one.first === OWED,
      ),
      each("orders_restored_once", "nothing that an order moved on the chain moves again after the restore", (one) => one.again === 0),
      each("orders_lifted_once", "nor once people have looked and lifted the halts", (one) => one.afterwards === 0),
      each("orders_paid_out_once", "the provider pays each withdrawal out once", (one) => one.paidOut === 1),
      each("orders_restore_seen", "a restored database that does not know a payment is halted", (one) => one.isSeen),
    ],
    counts: `${seen.length} restores with a settlement, a top-up and a withdrawal in progress`,
  };
}

/** A provider that a restore does not reach: it takes each order once, by its id. */
function rememberingProvider() {
  const known = new Map<string, { what: "collect" | "payOut"; times: number }>();
  const done = (id: string): FiatAnswer => ({ status: "succeeded", reference: `P-${id}`, reason: null, instructions: null });
  const take = (what: "collect" | "payOut") => async (order: { id: string }) => {
    if (!known.has(order.id)) known.set(order.id, { what, times: 1 });
    return done(order.id);
  };
  const rail: FiatRail = {
    collect: take("collect"),
    payOut: take("payOut"),
    lookUp: async (id) => (known.has(id) ? done(id) : null),
  };
  return { rail, paidOut: () => [...known.values()].filter(({ what }) => what === "payOut").reduce((sum, { times }) => sum + times, 0) };
}

async function openStage(chain: TestChain, database: Parameters<Parameters<Scene["server"]["withDatabase"]>[0]>[0], wallets: number) {
  const { url, db, sql } = database;
  const own = { url, db, sql, role: "", web: db, worker: db, webRole: "", close: async () => {} };
  return { ...(await openMoneyStage(chain, { partners: 1, wallets, database: own })), database, chain };
}
type RestoredStage = Awaited<ReturnType<typeof openStage>>;

async function comeBack(scene: Scene, chain: TestChain, { step, wallets }: Case): Promise<Seen> {
  return await scene.server.withDatabase(async (database) => {
    const stage = await openStage(chain, database, wallets);
    const provider = rememberingProvider();
    const [partner] = stage.partners;
    if (partner === undefined) throw new Error("there is no partner");
    const [settled, toppedUp] = [newAddress(), newAddress()];
    const { id } = await stage.quote(partner, { amountMinor: AMOUNT_MINOR, wallet: settled });
    await stage.confirm(partner, id);
    await stage.topUp(partner, { amountMinor: AMOUNT_MINOR, wallet: toppedUp });
    await stage.withdraw(partner, { amountMinor: AMOUNT_MINOR });
    /** What left the treasury to them, and what came out of the Safe. */
    const moved = async () =>
      (await paymentsOn({ stage })).filter(({ wallet }) => [settled, toppedUp, ...stage.addresses].some((one) => alike(one, wallet)))
        .length;
    const reached = await runUntil(stage, provider.rail, DOOMED_PASSES, step);
    await stage.letLeasesLapse();
    const bringBack = await scene.server.keepBackup(database);
    await runUntil(stage, provider.rail, LIVING_PASSES);
    const first = await moved();
    await bringBack();
    await stage.letLeasesLapse();
    const [known] = await stage.sql<{ count: number }[]>`select count(*)::int from transactions`;
    await runUntil(stage, provider.rail, WATCHED_PASSES);
    const again = (await moved()) - first;
    const isSeen = (known?.count ?? 0) >= OWED || (await listOpenHalts(stage.ctx)).some(({ cause }) => cause === "database_behind");
    await repair({ db: stage.db, evm: stage.ctx.evm });
    await stage.letLeasesLapse();
    await runUntil(stage, provider.rail, LIVING_PASSES);
    return { step, wallets, reached, first, again, afterwards: (await moved()) - first - again, paidOut: provider.paidOut(), isSeen };
  });
}

/** A worker's passes, each with a block and some seconds, until it dies at that step. Answers whether it did. */
async function runUntil(stage: RestoredStage, rail: FiatRail, passes: number, step?: Step): Promise<boolean> {
  const fate = mortal<typeof stage.powers, Step>(stage.powers, (reached) => {
    if (reached === step) throw new Died(`died at ${step}`);
  });
  const transfers = stage.newTransfers({ ctx: fate.ctx, observe: fate.observe });
  const rails = { rails: onlyRail(rail), planSweep: (sweep: SweepRequest) => planSweep(fate.ctx, sweep) };
  const orders = createFiatEngine({ ...rails, ctx: fate.ctx, observe: fate.observe });
  for (let pass = 0; pass < passes; pass += 1) {
    try {
      await runTransfersOnce(transfers, stage.chain.chain);
      await runOrdersOnce(orders, "withdrawals");
      await runOrdersOnce(orders, "topups");
    } catch (error) {
      if (error instanceof Died) return true;
      throw error;
    }
    await stage.passTime(4_000);
  }
  return false;
}
