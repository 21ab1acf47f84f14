import { setTimeout as sleep } from "node:timers/promises";
import { pidsOf } from "#bench/processes.ts";
import { judgeAs, NOTHING } from "#fault/checker.ts";
import type { Experiment, Run, Scene } from "#fault/experiment.ts";
import { liesOf, liesOnce } from "#fault/lies.ts";
import { must, rule } from "#fault/outcome.ts";
import { createPayment, inStreams } from "#fault/traffic.ts";
import { drained, factsOf, paymentsOn } from "#fault/truth.ts";
import { inWorld, killOne, timeUntil, type World } from "#fault/world.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { chainEngine } from "#testing/chain-engine.ts";
import { type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";

const LOOPS = 6;
/** The pause between the orders of one sequence: lies take time. */
const PACE_MS = 3_000;
const DRAIN_LIMIT_MS = 240_000;
const BELOW_K = 2;
const BEYOND_K = 40;
/** How many of the last settlements are certain to revert once for lack of gas. */
const IN_VAIN = 3;
const GWEI = 10n ** 9n;
/** The treasury is looked at a few times a minute. */
const SAID_WITHIN_MS = 60_000;
const OPENED_WITHIN_MS = 90_000;

export const lyingNode: Experiment = {
  name: "lying-node",
  breaks:
    "The only node lies: errors, silence after accepting, duplicates, heads behind and ahead, wrong nonces, garbage, cut connections, limits, forgotten transactions; estimates too low; reorgs within and beyond the confirmations; fees rise; workers die. And one of two nodes lies once about each balance, receipt and refusal",
  judged: "each wallet is paid once; a payment that a deep reorg took back is paid again with the same bytes within 60 s",
  async run(scene) {
    const proxies: RpcProxy[] = [];
    const shape = {
      webs: 1,
      workers: 2,
      rpcUrlsOf: async ({ rpcUrl }: { rpcUrl: string }) => {
        proxies.push(await startRpcProxy(rpcUrl));
        return proxies.map(({ url }) => url);
      },
    };
    const ready = Promise.withResolvers<void>();
    const besides = lyingOnce({ ...scene, name: `${scene.name}-once` }, ready.resolve);
    try {
      await Promise.race([ready.promise, besides]);
      const spared = new Set(pidsOf("worker"));
      const alone = inWorld(scene, shape, async (world) => {
        const [node] = proxies;
        if (node === undefined) throw new Error("no proxy is in between");
        return await lying(world, scene, { node, spared });
      });
      await Promise.allSettled([alone, besides]);
      const [run, once] = [await alone, await besides];
      const own = [...run.facts.own, ...judgeAs("once about each", once.facts, scene.patience)];
      return { counts: `${run.counts}; ${once.counts}`, facts: { ...run.facts, own } };
    } finally {
      for (const proxy of proxies) await proxy.stop();
    }
  },
};

/** One of two nodes lies once about each balance, receipt and refusal: no payment is lost or fails, and nothing halts. In the long form it lies from the start. */
async function lyingOnce(scene: Scene, onReady: () => void): Promise<Run> {
  const proxies: RpcProxy[] = [];
  const {
    rule: lie,
    counts,
    unsent,
  } = liesOnce({
    isForgetful: scene.pick(true, false),
    hasBlockReceipts: chainEngine() !== "hardhat",
  });
  const rpcUrlsOf = async ({ rpcUrl }: { rpcUrl: string }) => {
    proxies.push(
      await startRpcProxy(
        rpcUrl,
        scene.pick(lie, () => "pass"),
      ),
    );
    return [...proxies.map(({ url }) => url), rpcUrl];
  };
  try {
    return await inWorld(scene, { webs: 1, workers: 1, rpcUrlsOf }, async (world) => {
      onReady();
      const isOpen = async () => (await world.database.sql`select 1 from treasury_books`).length > 0;
      const opened = await timeUntil(isOpen, OPENED_WITHIN_MS);
      for (const proxy of proxies) proxy.rule = lie;
      const settlements = scene.pick(200, 15);
      const orders = scene.random.fork("once");
      const pay = (index: number) => createPayment(world, { random: orders.fork(String(index)), reference: `once-${index}` });
      // Alone in its block, it has a receipt of its own; those of the others come with their block.
      await pay(settlements);
      await drained(world.database, DRAIN_LIMIT_MS);
      await inStreams(settlements, LOOPS, pay);
      const isAllSaid = await timeUntil(async () => unsent().length === 0, SAID_WITHIN_MS, 500);
      const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
      const halts = (await listOpenHalts({ db: world.database.db })).map(({ detail }) => detail);
      const own = [
        must("every_lie_sent", "it lied about balances, receipts and refusals", isAllSaid !== null, `never: ${unsent().join(", ")}`),
        must("nothing_halted", "no lie halts anything", halts.length === 0, halts.join(" ")),
        must("books_opened", "the treasury's books are open", opened !== null, "they are not"),
      ];
      return {
        counts: `${settlements + 1} settlements while one of two nodes lied once about each (${counts()})`,
        facts: await factsOf(world, NOTHING, { drainedAfterMs, own }),
      };
    });
  } finally {
    for (const proxy of proxies) await proxy.stop();
  }
}

/** `spared`: the workers of another world. */
type Lied = { node: RpcProxy; spared: ReadonlySet<number> };

async function lying(world: World, scene: Scene, { node, spared }: Lied) {
  const settlements = scene.pick(400, 45);
  const begun = await heightOf(world);
  if (scene.packing) await payOnce(world, scene);
  const counted = liesOf(scene.random.fork("lies"));
  Object.assign(node, { rule: counted.rule, mishap: counted.mishap });
  const deaths = await underLies(world, scene, { settlements, spared });
  Object.assign(node, { rule: () => "pass", mishap: () => null });
  await someInVain(world, scene, node);
  const truthful = await drained(world.database, DRAIN_LIMIT_MS);
  const before = await placesInVain(world);
  const { depth, taken } = await forkBeyond(world, begun);
  const inVain = [...(await placesInVain(world))].filter(([place, mined]) => before.has(place) && !mined.includes("payment"));
  scene.say(`a fork of ${depth} blocks took back ${taken} payments`);
  const afterFork = await paidAgain(world, settlements + IN_VAIN);
  // Until the blocks with their payments are final, the books do not have them.
  const restored = await drained(world.database, DRAIN_LIMIT_MS);
  const after = await placesInVain(world);
  const own = [
    must(
      "every_lie_sent",
      "the node sent the worker false answers of every kind",
      counted.unsent().length === 0,
      `never sent: ${counted.unsent().join(", ")}`,
    ),
    must("payments_reorganised", "the deep reorg took back some payments", taken > 0, "it took back none"),
    must(
      "superseded_nonces_reorganised",
      "and nonces under which a payment had been reverted, and made again",
      inVain.length > 0,
      "it took back none",
    ),
    rule("superseded_nonces_cancelled", "each of those nonces is spent again, by an empty transfer", inVain, ([place]) => {
      const kinds = after.get(place)?.join(", ");
      return kinds === "cancellation" ? [] : [`under ${place} the chain has: ${kinds}`];
    }),
    must("paid_again", "they are paid again within 60 s", afterFork, "they are not"),
  ];
  const drainedAfterMs = truthful === null || restored === null ? null : Math.max(truthful, restored);
  const more = { interruptions: deaths, drainedAfterMs, own };
  const counts = `${settlements + IN_VAIN} settlements, ${counted.count()} lies, ${deaths} kills, a fork of ${depth} blocks that took back ${taken}, and ${inVain.length} that had been reverted`;
  return { counts, facts: await factsOf(world, NOTHING, more) };
}

/** The wallets have allowed packing before the service knew them: it counts their nonces first, or it would halt for what a lie hides. */
async function payOnce(world: World, scene: Scene): Promise<void> {
  await createPayment(world, { random: scene.random.fork("first"), reference: "first" });
  await drained(world.database, DRAIN_LIMIT_MS);
}

/** Settlements, while the chain itself has faults too. */
async function underLies(
  world: World,
  scene: Scene,
  { settlements, spared }: { settlements: number } & Pick<Lied, "spared">,
): Promise<number> {
  const orders = scene.random.fork("orders");
  const { chain } = world.stage;
  const state = { over: false };
  const pay = inStreams(settlements, LOOPS, async (index) => {
    await createPayment(world, { random: orders.fork(String(index)), reference: `order-${index}` });
    await sleep(PACE_MS);
  }).finally(() => {
    state.over = true;
  });
  let deaths = 0;
  const trouble = (async () => {
    while (!state.over) {
      await sleep(1_000 + scene.random.below(2_000));
      const kind = scene.random.below(5);
      if (kind === 0) await chain.call("anvil_reorg", 1 + scene.random.below(BELOW_K), []);
      if (kind === 1) await chain.call("anvil_dropAllTransactions");
      if (kind === 2) await chain.call("anvil_setNextBlockBaseFeePerGas", `0x${(GWEI * BigInt(1 + scene.random.below(40))).toString(16)}`);
      if (kind === 3 && killOne("worker", scene, spared)) deaths += 1;
    }
  })();
  await Promise.all([pay, trouble]);
  return deaths;
}

/** The payments that the reorg is to take back: the node's last lies. */
async function someInVain(world: World, scene: Scene, node: RpcProxy): Promise<void> {
  const random = scene.random.fork("in vain");
  // Each alone: a packed transaction that reverts frees its payments, and none is superseded.
  const isSigned = async () => (await world.database.sql`select 1 from transfers where state = 'queued'`).length === 0;
  await timeUntil(isSigned, DRAIN_LIMIT_MS);
  let lies = IN_VAIN;
  node.rule = (method) => (method === "eth_estimateGas" && lies-- > 0 ? { result: "0x0" } : "pass");
  for (let index = 0; index < IN_VAIN; index += 1) {
    await timeUntil(isSigned, DRAIN_LIMIT_MS);
    await createPayment(world, { random, reference: `in-vain-${index}` });
  }
  await drained(world.database, DRAIN_LIMIT_MS);
  node.rule = () => "pass";
}

async function heightOf({ stage }: World): Promise<number> {
  return Number(await stage.chain.call("eth_blockNumber"));
}

/**
 * Answers the depth, and how many payments are no longer on the chain. The funding of the wallets stays, because the service cannot repeat it.
 * The base fee is low again: bytes that are sent again keep their fee, and an OP Stack chain takes minutes to fall that far by itself.
 */
async function forkBeyond(world: World, begun: number): Promise<{ depth: number; taken: number }> {
  const before = await paymentsOn(world);
  const depth = Math.min(BEYOND_K, (await heightOf(world)) - begun);
  await world.stage.chain.call("anvil_reorg", depth, []);
  await world.stage.chain.call("anvil_dropAllTransactions");
  await world.stage.chain.call("anvil_setNextBlockBaseFeePerGas", `0x${GWEI.toString(16)}`);
  const after = new Set((await paymentsOn(world)).map(({ txHash }) => txHash));
  return { depth, taken: before.filter(({ txHash }) => !after.has(txHash)).length };
}

/** The nonces under which a payment reverted for lack of gas, each with the kinds of its attempts that are on the chain. */
async function placesInVain({ database, stage }: World): Promise<Map<string, string[]>> {
  const attempts = await database.sql<{ place: string; hash: string; kind: string }[]>`select x.id as place, a.hash, a.kind
    from transaction_attempts a join transactions x on x.id = a.transaction_id where x.superseded_at is not null`;
  const places = new Map<string, string[]>();
  for (const { place, hash, kind } of attempts) {
    const isMined = (await stage.chain.call("eth_getTransactionReceipt", hash)) !== null;
    places.set(place, [...(places.get(place) ?? []), ...(isMined ? [kind] : [])]);
  }
  return places;
}

async function paidAgain(world: World, count: number): Promise<boolean> {
  for (const until = performance.now() + 60_000; performance.now() < until; await sleep(500))
    if ((await paymentsOn(world)).length >= count) return true;
  return false;
}
