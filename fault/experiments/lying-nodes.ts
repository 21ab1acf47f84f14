import { setTimeout as sleep } from "node:timers/promises";
import { NOTHING } from "#fault/checker.ts";
import type { Experiment, Run, Scene } from "#fault/experiment.ts";
import { FAMILY_LIES } from "#fault/family-lies.ts";
import { liesOf } from "#fault/lies.ts";
import { must } from "#fault/outcome.ts";
import { createPayment, inStreams } from "#fault/traffic.ts";
import { drained, factsOf } from "#fault/truth.ts";
import { inWorld, killOne, onNetwork, timeUntil, type World } from "#fault/world.ts";
import type { Family } from "#sandbox/settings.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import type { FamilyNetwork } from "#testing/networks/network.ts";
import { type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";

const LOOPS = 4;
const PACE_MS = 1_000;
const MOST_MORE = 150;
const DRAIN_LIMIT_MS = 300_000;
/** Payments that one node hides until they have expired, and others that no block takes until then. */
const HIDDEN = 3;
const LOST = 3;
const WATCHED_MS = 6_000;
const SENT_WITHIN_MS = 90_000;

/** One of two nodes lies, and each payment is made once. */
export function lyingNodesOn(family: Family): Experiment {
  return {
    name: `lying-node-${family}`,
    breaks: `One of two nodes lies in any answer: errors, silence after accepting, duplicates, blocks behind and ahead, garbage, cut connections, limits, forgotten payments. For seconds it lags, has lost its history, hides payments, drops what it is sent, or is silent. It hides payments until they have expired, and forgets the time of others that are in no block. Blocks that are not final are taken back, pools are lost, workers die${onNetwork(family)}`,
    judged:
      "each wallet is paid once; what expired is made again only where no block has it; nothing halts, and nobody has to decide anything",
    async run(scene) {
      const proxies: RpcProxy[] = [];
      const networkUrlsOf = async ({ urls }: FamilyNetwork) => {
        for (const url of urls) proxies.push(await startRpcProxy(url));
        return proxies.map(({ url }) => url);
      };
      try {
        return await inWorld(scene, { webs: 1, workers: 2, family, networkUrlsOf }, async (world) => {
          const [node, other] = proxies;
          const { network } = world.stage;
          if (node === undefined || other === undefined || network === null) throw new Error("no proxy is in between");
          return await lying(world, scene, { node, other, network });
        });
      } finally {
        for (const proxy of proxies) await proxy.stop();
      }
    },
  };
}

/** In front of the one that lies, and of the other one. */
type Between = { node: RpcProxy; other: RpcProxy; network: FamilyNetwork };

async function lying(world: World, scene: Scene, { node, other, network }: Between): Promise<Run> {
  const settlements = scene.pick(80, 4);
  const counted = liesOf(scene.random.fork("lies"), FAMILY_LIES[network.family]);
  Object.assign(node, { rule: counted.rule, mishap: counted.mishap });
  const isAllSaid = () => scene.pick(counted.unsent(), []).length === 0;
  const { deaths, misbehaved, more } = await underLies(world, scene, { settlements, network, isAllSaid });
  Object.assign(node, { rule: () => "pass", mishap: () => null });
  await network.misbehave("none", []);
  await drained(world.database, DRAIN_LIMIT_MS);
  const hidden = await hidePastExpiry(world, scene, { other, network });
  const lost = await loseUntilExpired(world, scene, network);
  const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
  const halts = (await listOpenHalts({ db: world.database.db })).map(({ detail }) => detail);
  const [reviewed] = await world.database.sql<{ count: number }[]>`select count(*)::int from transfers where state = 'needs_review'`;
  const unsent = scene.pick(counted.unsent(), []);
  const own = [
    must("every_lie_sent", "the node sent false answers of every kind", unsent.length === 0, `never sent: ${unsent.join(", ")}`),
    must("nothing_halted", "no lie halts anything", halts.length === 0, halts.join(" ")),
    must("nothing_to_decide", "nobody has to decide about a payment", reviewed?.count === 0, `${reviewed?.count} payments`),
    must(
      "hidden_not_lapsed",
      "what one node hides past its expiry is not made again",
      hidden.made === HIDDEN,
      `${hidden.made} attempts of ${HIDDEN} payments`,
    ),
    must("lost_made_again", "what no block has is made again once it has expired", lost > 0, "nothing was"),
  ];
  return {
    counts: `${settlements + more + HIDDEN + LOST} settlements, ${counted.count()} lies, ${misbehaved} times of misbehaviour, ${deaths} kills, ${lost} payments made again after they had expired`,
    facts: await factsOf(world, NOTHING, { interruptions: deaths, drainedAfterMs, own }),
  };
}

const openIds = async ({ database: { sql } }: World) =>
  (await sql<{ id: string }[]>`select id from lapsing_attempts where state in ('stored', 'sent', 'seen')`).map(({ id }) => id);

type Lies = { settlements: number; network: FamilyNetwork; isAllSaid: () => boolean };

/** Settlements, while node and chain misbehave for seconds at a time; and `more` of them until every lie was sent. */
async function underLies(world: World, scene: Scene, { settlements, network, isAllSaid }: Lies) {
  const orders = scene.random.fork("orders");
  const state = { over: false };
  let [deaths, misbehaved, more] = [0, 0, 0];
  const payOne = async (index: number) => {
    await createPayment(world, { random: orders.fork(String(index)), reference: `order-${index}` });
    await sleep(PACE_MS);
  };
  const payAll = async () => {
    await inStreams(settlements, LOOPS, payOne);
    for (; more < MOST_MORE && !isAllSaid(); more += 1) await payOne(settlements + more);
  };
  const pay = payAll().finally(() => {
    state.over = true;
  });
  const trouble = (async () => {
    while (!state.over) {
      await sleep(500 + scene.random.below(1_500));
      const kind = scene.random.below(5);
      if (kind === 0) await network.disturb();
      else if (kind === 1) deaths += killOne("worker", scene) ? 1 : 0;
      else {
        await network.misbehave(scene.random.pick(network.faults), await openIds(world));
        misbehaved += 1;
        await sleep(1_000 + scene.random.below(3_000));
        await network.misbehave("none", []);
      }
    }
  })();
  await Promise.all([pay, trouble]);
  return { deaths, misbehaved, more };
}

async function payAndSend(world: World, scene: Scene, name: string, count: number): Promise<string[]> {
  const random = scene.random.fork(name);
  const paid = [];
  for (let index = 0; index < count; index += 1)
    paid.push(await createPayment(world, { random: random.fork(String(index)), reference: `${name}-${index}` }));
  const ids = paid.map(({ id }) => id);
  const { sql } = world.database;
  const areSent = async () =>
    (
      await sql`select 1 from lapsing_attempts a join transfers t on t.id = a.transfer_id
        where t.owner_id in ${sql(ids)} and a.state <> 'stored'`
    ).length >= count;
  if ((await timeUntil(areSent, SENT_WITHIN_MS)) === null) throw new Error("the payments were not sent");
  return ids;
}

/** Both nodes have them, and one denies it until long after their expiry: next to the other one, and while that is silent. */
async function hidePastExpiry(
  world: World,
  scene: Scene,
  { other, network }: Pick<Between, "other" | "network">,
): Promise<{ made: number }> {
  const { sql } = world.database;
  // Blocks wait until the node denies what is sent.
  await network.hold();
  const ids = await payAndSend(world, scene, "hidden", HIDDEN);
  await network.misbehave("hides", await openIds(world));
  await network.release();
  const areThere = async () => (await network.payments()).filter(({ txHash }) => hidden.includes(txHash)).length === HIDDEN;
  const hidden = await openIds(world);
  if ((await timeUntil(areThere, SENT_WITHIN_MS, 200)) === null) throw new Error("the hidden payments are in no block");
  await network.passExpiry();
  await sleep(WATCHED_MS);
  other.rule = () => "refuse";
  await sleep(WATCHED_MS);
  await network.misbehave("none", []);
  other.rule = () => "pass";
  await drained(world.database, DRAIN_LIMIT_MS);
  const [made] = await sql<{ count: number }[]>`select count(*)::int from lapsing_attempts a join transfers t on t.id = a.transfer_id
    where t.owner_id in ${sql(ids)}`;
  return { made: made?.count ?? 0 };
}

/** No block has them, and one node has lost the history that would prove it. Answers how many were made again. */
async function loseUntilExpired(world: World, scene: Scene, network: FamilyNetwork): Promise<number> {
  await network.hold();
  await payAndSend(world, scene, "lost", LOST);
  await network.misbehave("forgets", []);
  await network.passExpiry();
  await sleep(WATCHED_MS);
  await network.misbehave("none", []);
  await drained(world.database, DRAIN_LIMIT_MS);
  const [lapsed] = await world.database.sql<{ count: number }[]>`select count(*)::int from lapsing_attempts a
    join transfers t on t.id = a.transfer_id join settlements s on s.id = t.owner_id where s.external_tx_id like 'lost-%' and a.state = 'lapsed'`;
  return lapsed?.count ?? 0;
}
