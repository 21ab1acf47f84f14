import { afterAll, beforeAll, expect, it } from "vitest";
import { withConnection } from "#sandbox/postgres/server.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { addCitusNode, inDatabase } from "./cluster.ts";
import { type CitusStage, type OwnCluster, openCitusStage, openOwnCluster } from "./stage.ts";

/** A node is added and takes its share of the parts while money moves (docs/runbooks/citus.md). */

let own: OwnCluster;
let on: CitusStage;
beforeAll(async () => {
  own = await openOwnCluster("growing");
  on = await openCitusStage({ partners: 8, database: own.database });
});
afterAll(async () => {
  await on.close();
  await own.stop();
});

it("has rows of its own afterwards, and nothing is refused, lost or paid twice meanwhile", async () => {
  const { stage, chain, database } = on;
  const work = stage.newWorker();
  let moving = true;
  let owed = 0;
  const refused: unknown[] = [];
  const traffic = (async () => {
    while (moving) {
      for (const partner of stage.partners) {
        await on.owe(partner).then(
          () => (owed += 1),
          (error: unknown) => refused.push(error),
        );
      }
      await work().catch((error: unknown) => void refused.push(error));
      await chain.mine();
    }
  })();
  const coordinator = inDatabase(own.cluster.nodes[0] ?? "", "growing");
  await addCitusNode(own.cluster, "growing");
  await withConnection(coordinator, async (sql) => {
    await sql`select citus_rebalance_start(shard_transfer_mode => 'force_logical')`;
    await sql`select citus_rebalance_wait()`;
  });
  moving = false;
  await traffic;
  const nodes = await database.sql<{ parts: number }[]>`
    select count(*)::int as parts from citus_shards where table_name = 'settlements'::regclass group by nodeport order by 1`;
  expect(nodes.map(({ parts }) => parts)).toEqual([10, 11, 11]);
  await on.workUntil(async () => {
    await stage.passTime();
    const [open] = await database.sql`select count(*)::int as count from settlements where status = 'processing'`;
    return open?.count === 0;
  });
  const [ends] = await database.sql`select count(*)::int as count from settlements where status = 'executed'`;
  expect(refused).toEqual([]);
  expect([owed > 0, ends?.count]).toEqual([true, owed]);
  await expectCleanAudit({ db: database.db, evm: stage.powers.chains });
});
