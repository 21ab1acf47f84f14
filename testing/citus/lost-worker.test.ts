import { afterAll, beforeAll, expect, it } from "vitest";
import { applicationRole, processRole } from "#db/application-role.ts";
import { openDatabase } from "#db/client.ts";
import { listShares } from "#db/lease.ts";
import { migrate } from "#db/migrate.ts";
import { insertHalt } from "#db/queries/halts/scope-halts.ts";
import { eventually } from "#testing/callbacks.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import type { TestDatabase } from "#testing/database.ts";
import type { TestPartner } from "#testing/factories.ts";
import { openMoneyStage } from "#testing/money-stage.ts";
import { newAddress } from "#testing/transfers.ts";
import { type CitusCluster, createCitusDatabase, inDatabase, startCitus } from "./cluster.ts";

/** A worker node is lost for a while: its partners wait, the others go on, and afterwards nothing is lost or paid twice. */

let cluster: CitusCluster;
let database: TestDatabase;
let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  cluster = await startCitus();
  await createCitusDatabase(cluster.nodes, "lost");
  const url = inDatabase(cluster.coordinator.adminUrl, "lost");
  await migrate(url, undefined, "citus");
  const open = (role: string) => openDatabase({ url, applicationName: "test", maxConnections: 8, role, layout: "citus" });
  const role = applicationRole("lost");
  const webRole = processRole("lost", "web");
  const [pool, web, worker] = [open(role), open(webRole), open(processRole("lost", "worker"))];
  const close = async () => void (await Promise.all([pool, web, worker].map((each) => each.close())));
  database = { url, db: pool.db, sql: pool.sql, role, web: web.db, worker: worker.db, webRole, layout: "citus", close };
});
afterAll(async () => {
  await database.close();
  await cluster.stop();
  await chain.stop();
});

/** The port of the node that has a partner's rows. */
async function nodeOf(partnerId: string): Promise<number> {
  const [row] = await database.sql<{ port: number }[]>`select nodeport as port from citus_shards
    where shardid = get_shard_id_for_distribution_column('settlements', ${partnerId}::uuid)`;
  return row?.port ?? 0;
}

/** How many of their settlements are not paid. Each partner's node is asked alone. */
async function openOf(partners: readonly TestPartner[]): Promise<number> {
  const counts = await Promise.all(
    partners.map(async ({ partnerId }) => {
      const [row] = await database.sql<{ count: number }[]>`
        select count(*)::int as count from settlements where partner_id = ${partnerId} and status = 'processing'`;
      return row?.count ?? 0;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

it("its partners are refused meanwhile, the others are paid, and all are paid once it is back", async () => {
  const stage = await openMoneyStage(chain, { partners: 8, database });
  await chain.mine(4);
  const [lost] = cluster.workers;
  const port = Number(new URL(lost?.adminUrl ?? "").port);
  const places = await Promise.all(stage.partners.map(({ partnerId }) => nodeOf(partnerId)));
  const onLost = stage.partners.filter((_, index) => places[index] === port);
  const onOther = stage.partners.filter((_, index) => places[index] !== port);
  expect(Math.min(onLost.length, onOther.length)).toBeGreaterThan(0);
  const owe = async (partner: (typeof onLost)[number]) => {
    const { id } = await stage.quote(partner, { amountMinor: 100_000n, wallet: newAddress() });
    await stage.confirm(partner, id);
  };
  const before = await Promise.all(stage.partners.map(owe));
  // Where a pair is halted, the pair of each payment is looked at, which is on its partner's node.
  const scope = { kind: "pair", key: "TZS USDT eip155:1" } as const;
  await insertHalt(database.db, { scope, cause: "operator", detail: "For a test.", evidence: {}, haltedBy: "a test" }, new Date());
  await lost?.halt();
  for (const partner of onLost) await expect(owe(partner)).rejects.toThrow();
  for (const partner of onOther) await owe(partner);
  const work = stage.newWorker();
  const pass = async (isOver: () => Promise<boolean>) =>
    await eventually(async () => {
      // A pass fails where it finds a connection that the node's end has broken. The worker's loop begins the next one.
      await work().catch(() => {});
      await chain.mine();
      return (await isOver()) ? true : null;
    });
  // The others' payments are made and their settlements end while the node is away.
  await pass(async () => (await openOf(onOther)) === 0);
  const idsOf = (partners: readonly TestPartner[]) => partners.map(({ partnerId }) => partnerId).toSorted();
  const due = await listShares(database.db, "callbacks");
  expect(due.flatMap((share) => (share.of === "partner" ? [share.id] : [])).toSorted()).toEqual(idsOf(onOther));
  await lost?.startAgain();
  await eventually(async () => {
    for (const partner of onLost) await owe(partner);
    return true;
  });
  await pass(async () => (await openOf(stage.partners)) === 0);
  const [ends] = await database.sql`select count(*)::int as count from settlements where status = 'executed'`;
  expect(ends?.count).toBe(2 * before.length);
  await expectCleanAudit({ db: database.db });
});
