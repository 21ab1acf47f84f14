import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Experiment, Run, Scene } from "#fault/experiment.ts";
import { must } from "#fault/outcome.ts";
import { NEEDED, type PatroniCluster, startPatroniCluster } from "#fault/servers/patroni.ts";
import type { PatroniNode } from "#fault/servers/patroni-node.ts";
import { inPooledWorld, PGBOUNCER } from "#fault/servers/pooled-world.ts";
import { lackOf } from "#fault/servers/programs.ts";
import { throughTroubles } from "#fault/through-troubles.ts";
import type { Trouble } from "#fault/troubles.ts";
import { inWorld } from "#fault/world.ts";
import { benchServerOn } from "#testing/stage/database.ts";

/** As `docs/runbooks/failover.md` promises: the lease of twenty seconds, and what comes after it. */
const GOOD_WITHIN_MS = 40_000;
const LOOK_MS = 200;
/** A machine takes its time to start. Patroni 3.0 that is back within a second of the other's taking over may not see that it has to rewind. */
const BOOT_MS = 15_000;

export const failover: Experiment = {
  name: "failover",
  breaks:
    "The primary of two PostgreSQL servers under Patroni with synchronous replication: its PostgreSQL killed, its whole machine killed, its whole machine frozen and resumed; then the standby's machine killed; configured by the files of `ops/database`",
  judged:
    "no answered write is lost, the other server takes over and both web processes write again within 40 s, two never lead at once, no process of the service dies, the old primary returns as a standby with every commit",
  lacks: () => lackOf(NEEDED),
  run: (scene) => failOver(scene, inWorld),
};

export const failoverPooled: Experiment = {
  name: "failover-pooled",
  breaks: "The same, with the service reaching both servers through the machine's PgBouncer, configured by `ops/database/pgbouncer.ini`",
  judged: failover.judged,
  lacks: () => lackOf([...NEEDED, PGBOUNCER]),
  run: (scene) => failOver(scene, inPooledWorld),
};

async function failOver(scene: Scene, inSuchWorld: typeof inWorld<Run>): Promise<Run> {
  const cluster = await startPatroniCluster(randomBytes(12).toString("hex"));
  const server = benchServerOn(cluster);
  const watch = watched(cluster.nodes);
  try {
    const [troubles, rounds] = [troublesOf(), scene.pick(3, 1)];
    return await inSuchWorld({ ...scene, server }, { webs: 2, workers: 1 }, async (world) => {
      const judge = () => [
        must("one_primary", "two never claim to lead", watch.both() === 0, `${watch.both()} of ${watch.looks()} times`),
        must(
          "failover_happened",
          "another one led after each trouble of the primary",
          watch.changes() >= rounds * TAKE_OVER,
          `${watch.changes()}`,
        ),
      ];
      const plan = { server: cluster, troubles, rounds, judge, goodWithinMs: GOOD_WITHIN_MS };
      const run = await throughTroubles(world, scene, plan);
      return { ...run, counts: `${run.counts}; who leads asked ${watch.looks()} times` };
    });
  } finally {
    await watch.end();
    await server.stop();
  }
}

/** Each hits one machine, and repairs it once the service has recovered. */
function troublesOf(): Trouble<PatroniCluster>[] {
  let struck: PatroniNode | null = null;
  const trouble = (
    name: string,
    whom: (cluster: PatroniCluster) => Promise<PatroniNode>,
    how: (node: PatroniNode) => Promise<void>,
    bringBack: (node: PatroniNode) => void | Promise<void> = () => {},
  ): Trouble<PatroniCluster> => ({
    name,
    async cause(cluster) {
      struck = await whom(cluster);
      await how(struck);
    },
    async mutant(cluster) {
      if (struck !== null) await bringBack(struck);
      await cluster.untilWhole();
    },
  });
  const leading = (cluster: PatroniCluster) => cluster.leader();
  const following = async (cluster: PatroniCluster) => {
    const leader = await cluster.leader();
    const other = cluster.nodes.find((node) => node !== leader);
    if (other === undefined) throw new Error("nobody follows");
    return other;
  };
  const boot = async (node: PatroniNode) => {
    await sleep(BOOT_MS);
    node.start();
  };
  const [kill, freeze] = [(node: PatroniNode) => node.kill(), (node: PatroniNode) => node.freeze()];
  return [
    trouble("the primary's PostgreSQL killed", leading, (node) => node.killPostgres()),
    trouble("the primary's machine killed", leading, kill, boot),
    trouble("the primary's machine frozen", leading, freeze, (node) => node.thaw()),
    trouble("the standby's machine killed", following, kill, boot),
  ];
}

/** After this many of them another one is the primary. */
const TAKE_OVER = 3;

/** Asks all the time which one is the primary: one, the other, and the first again, so that a change in between does not count as two. */
function watched(nodes: readonly PatroniNode[]) {
  const seen = { both: 0, looks: 0, changes: 0, last: "", over: false };
  const look = async () => {
    const [one, other] = nodes;
    if (one === undefined || other === undefined) return;
    const [first, second] = [await one.leads(), await other.leads()];
    seen.looks += 1;
    if (first && second && (await one.leads())) seen.both += 1;
    const who = first ? one.name : second ? other.name : "";
    if (who !== "" && seen.last !== "" && who !== seen.last) seen.changes += 1;
    if (who !== "") seen.last = who;
  };
  const looking = (async () => {
    for (; !seen.over; await sleep(LOOK_MS)) await look();
  })();
  return {
    both: () => seen.both,
    looks: () => seen.looks,
    changes: () => seen.changes,
    end: async () => {
      seen.over = true;
      await looking;
    },
  };
}
