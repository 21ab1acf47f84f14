import { setTimeout as sleep } from "node:timers/promises";
import type { Experiment } from "#fault/experiment.ts";
import { must } from "#fault/outcome.ts";
import { throughTroubles } from "#fault/through-troubles.ts";
import type { Trouble } from "#fault/troubles.ts";
import { inWorld, signalled, type World } from "#fault/world.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import type { TemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { CITUS_SETTINGS, type CitusCluster, citusPostgres, replaceCitusNode, startCitus } from "#testing/citus/cluster.ts";
import { startReplica, type TestReplica } from "#testing/replica.ts";
import { benchServerOn } from "#testing/stage/database.ts";

/** As `docs/runbooks/citus.md` promises. */
const GOOD_WITHIN_MS = 40_000;
/** How long settlements flow over the standby. */
const SERVES_MS = 20_000;

type Node = { cluster: CitusCluster; primary: TemporaryPostgres; standby: TestReplica };

const TROUBLE: Trouble<Node> = {
  name: "the node's server killed, and its standby put in its place",
  async cause({ cluster, primary, standby }, url) {
    signalled(primary.postmaster(), "SIGKILL");
    await primary.ended();
    await standby.promote();
    const from = primary.superuserUrl;
    await replaceCitusNode(cluster, nameOf(url), { from, to: standby.urlOf(from) });
  },
};

export const failoverNode: Experiment = {
  name: "failover-node",
  breaks:
    "The server of the Citus worker node that has the partner's rows is killed, with a synchronous standby, which is promoted and put in its place by `citus_update_node`",
  judged: "no answered write is lost, both web processes write again within 40 s, no process of the service dies",
  lacks() {
    try {
      citusPostgres();
      return null;
    } catch (error) {
      return String(error);
    }
  },
  async run(scene) {
    const cluster = await startCitus(true);
    const server = benchServerOn({ adminUrl: cluster.coordinator.adminUrl, stop: cluster.stop }, { nodes: cluster.nodes });
    let standby: TestReplica | null = null;
    try {
      return await inWorld({ ...scene, server }, { webs: 2, workers: 1 }, async (world) => {
        const primary = await nodeOf(world, cluster);
        standby = await startReplica(primary, CITUS_SETTINGS);
        await waitForStandby(primary);
        const old = Number(new URL(primary.superuserUrl).port);
        let now = old;
        const mutant = async () => {
          now = await portOf(world);
          await sleep(SERVES_MS);
        };
        const troubles = [{ ...TROUBLE, mutant }];
        const judge = () => [
          must("standby_serves", "the partner's rows are on the standby afterwards", now !== old, "they are where they were"),
        ];
        return await throughTroubles(world, scene, {
          server: { cluster, primary, standby },
          troubles,
          rounds: 1,
          judge,
          goodWithinMs: GOOD_WITHIN_MS,
        });
      });
    } finally {
      await (standby as TestReplica | null)?.stop();
      await server.stop();
    }
  },
};

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** Of the node that has the partner's rows. */
async function portOf({ stage, database }: World): Promise<number> {
  const [row] = await database.sql<{ port: number }[]>`select nodeport as port from citus_shards
    where shardid = get_shard_id_for_distribution_column('settlements', ${stage.partnerId}::uuid)`;
  return row?.port ?? 0;
}

async function nodeOf(world: World, { workers }: CitusCluster): Promise<TemporaryPostgres> {
  const port = await portOf(world);
  const node = workers.find(({ superuserUrl }) => Number(new URL(superuserUrl).port) === port);
  if (node === undefined) throw new Error(`no worker listens on ${port}`);
  return node;
}

/** From now on the node commits nothing that its standby has not. */
async function waitForStandby({ superuserUrl }: TemporaryPostgres): Promise<void> {
  await withConnection(superuserUrl, async (sql) => {
    await sql`alter system set synchronous_standby_names = '*'`;
    await sql`select pg_reload_conf()`;
    for (;;) {
      const [row] = await sql<{ sync: number }[]>`select count(*)::int as sync from pg_stat_replication where sync_state = 'sync'`;
      if (row?.sync === 1) return;
    }
  });
}
