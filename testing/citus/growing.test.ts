import { afterAll, beforeAll, expect, it } from "vitest";
import { applicationRole, processRole } from "#db/application-role.ts";
import { openDatabase } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import { eventually } from "#testing/callbacks.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import type { TestDatabase } from "#testing/database.ts";
import { openMoneyStage } from "#testing/money-stage.ts";
import { newAddress } from "#testing/transfers.ts";
import { addCitusNode, type CitusCluster, createCitusDatabase, inDatabase, startCitus } from "./cluster.ts";

/** A node is added and takes its share of the parts while money moves (docs/runbooks/citus.md). */

let cluster: CitusCluster;
let database: TestDatabase;
let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  cluster = await startCitus();
  await createCitusDatabase(cluster.nodes, "growing");
  const url = inDatabase(cluster.coordinator.adminUrl, "growing");
  await migrate(url, undefined, "citus");
  const open = (role: string) => openDatabase({ url, applicationName: "test", maxConnections: 8, role, layout: "citus" });
  const role = applicationRole("growing");
  const webRole = processRole("growing", "web");
  const [pool, web, worker] = [open(role), open(webRole), open(processRole("growing", "worker"))];
  const close = async () => void (await Promise.all([pool, web, worker].map((each) => each.close())));
  database = { url, db: pool.db, sql: pool.sql, role, web: web.db, worker: worker.db, webRole, layout: "citus", close };
});
afterAll(async () => {
  await database.close();
  await cluster.stop();
  await chain.stop();
});

it("has rows of its own afterwards, and nothing is refused, lost or paid twice meanwhile", async () => {
  const stage = await openMoneyStage(chain, { partners: 8, database });
  await chain.mine(4);
  const work = stage.newWorker();
  let moving = true;
  let owed = 0;
  const refused: unknown[] = [];
  const traffic = (async () => {
    while (moving) {
      for (const partner of stage.partners) {
        try {
          const { id } = await stage.quote(partner, { amountMinor: 100_000n, wallet: newAddress() });
          await stage.confirm(partner, id);
          owed += 1;
        } catch (error) {
          refused.push(error);
        }
      }
      await work().catch((error: unknown) => void refused.push(error));
      await chain.mine();
    }
  })();
  const coordinator = inDatabase(cluster.nodes[0] ?? "", "growing");
  await addCitusNode(cluster, "growing");
  await withConnection(coordinator, async (sql) => {
    await sql`select citus_rebalance_start(shard_transfer_mode => 'force_logical')`;
    await sql`select citus_rebalance_wait()`;
  });
  moving = false;
  await traffic;
  const nodes = await database.sql<{ parts: number }[]>`
    select count(*)::int as parts from citus_shards where table_name = 'settlements'::regclass group by nodeport order by 1`;
  expect(nodes.map(({ parts }) => parts)).toEqual([10, 11, 11]);
  await eventually(async () => {
    await work();
    await stage.passTime();
    const [open] = await database.sql`select count(*)::int as count from settlements where status = 'processing'`;
    return open?.count === 0 ? true : null;
  });
  const [ends] = await database.sql`select count(*)::int as count from settlements where status = 'executed'`;
  expect(refused).toEqual([]);
  expect([owed > 0, ends?.count]).toEqual([true, owed]);
  await expectCleanAudit({ db: database.db });
});
