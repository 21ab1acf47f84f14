import { NOTHING } from "#fault/checker.ts";
import type { Experiment, Scene } from "#fault/experiment.ts";
import { rule } from "#fault/outcome.ts";
import { createPayment, inStreams } from "#fault/traffic.ts";
import { drained, factsOf, heardBy } from "#fault/truth.ts";
import { inWorld, type World } from "#fault/world.ts";

const LOOPS = 4;
const OFF_MS = 600_000;
const DRAIN_LIMIT_MS = 120_000;
const LIFETIME_SECONDS = 300;
const NEAR_SECONDS = 5;

export const clocks: Experiment = {
  name: "clocks",
  breaks: "The clocks of two workers are ten minutes off, one ahead and one behind, next to a web process with the right time",
  judged: "each is paid once, no stored instant is wrong, quotes live 300 s; only the timestamps that a skewed worker signs are wrong",
  async run(scene) {
    const settlements = scene.pick(200, 40);
    return await inWorld(scene, { webs: 1, workers: 0 }, async (world) => {
      const began = new Date();
      const [ahead, behind] = [await world.stage.startWorker(2, skewed(OFF_MS)), await world.stage.startWorker(2, skewed(-OFF_MS))];
      // A worker with the wallets does all of the work: each works alone in turn.
      await pay(world, scene, { from: 0, count: settlements / 2 });
      await ahead.stop();
      await pay(world, scene, { from: settlements / 2, count: settlements / 2 });
      const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
      await behind.stop();
      const own = [
        rule("instants", "stored instants are the database's time", await instants(world, began), (wrong) => (wrong === "" ? [] : [wrong])),
      ];
      const heard = heardBy(world.receiver.deliveries, world.stage.credentials).map((one) => ({
        ...one,
        trouble: unlessTime(one.trouble),
      }));
      const skewedOnes = heardBy(world.receiver.deliveries, world.stage.credentials).filter(({ trouble }) => trouble !== null).length;
      const facts = await factsOf(world, NOTHING, { drainedAfterMs, own });
      return { counts: `${settlements} settlements, ${skewedOnes} callbacks signed at a wrong time`, facts: { ...facts, heard } };
    });
  },
};

const skewed = (ms: number) => ({ NODE_OPTIONS: `--import=${new URL("../skewed-clock.ts", import.meta.url).href}?ms=${ms}` });

/** Whose clock is wrong signs a wrong time: receivers refuse that, and are right. */
const unlessTime = (trouble: string | null) => (trouble !== null && /timestamp/i.test(trouble) ? null : trouble);

type Batch = { from: number; count: number };

async function pay(world: World, scene: Scene, { from, count }: Batch): Promise<void> {
  const orders = scene.random.fork("orders");
  await inStreams(count, LOOPS, (index) =>
    createPayment(world, { random: orders.fork(String(from + index)), reference: `order-${from + index}` }),
  );
  await drained(world.database, DRAIN_LIMIT_MS);
}

/** One text per checked instant; empty: it is right. */
async function instants({ database: { sql } }: World, began: Date): Promise<string[]> {
  const rows = await sql<{ what: string; at: Date; isRight: boolean }[]>`
    with seen as (
      select 'settlement ' || id || ' executed' as what, executed_at as at from settlements where executed_at is not null
      union all select 'settlement ' || id || ' confirmed', confirmed_at from settlements where confirmed_at is not null
      union all select 'callback ' || id || ' made', created_at from callbacks
      union all select 'callback ' || id || ' delivered', delivered_at from callbacks where delivered_at is not null
      union all select 'attempt ' || id || ' sent', sent_at from callback_attempts
      union all select 'settlement ' || id || ' expires', expires_at - ${LIFETIME_SECONDS} * interval '1 second' from settlements)
    select what, at, at between ${began.toISOString()}::timestamptz - ${NEAR_SECONDS} * interval '1 second'
      and clock_timestamp() + ${NEAR_SECONDS} * interval '1 second' as "isRight" from seen`;
  return rows.map(({ what, at, isRight }) => (isRight ? "" : `${what} at ${at.toISOString()}`));
}
