import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withConnection } from "#sandbox/postgres/server.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { bringOutbox } from "#server/services/settlements/bring-outbox.ts";
import { eventually } from "#testing/callbacks.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { copyServer, restoreServer } from "#testing/replica.ts";
import { CITUS_SETTINGS, inDatabase } from "./cluster.ts";
import { type CitusStage, type OwnCluster, openCitusStage, openOwnCluster } from "./stage.ts";

/** All nodes are restored to one point (docs/runbooks/citus.md). */

const POINT = "before_the_loss";

let own: OwnCluster;
let on: CitusStage;
const restored: (() => Promise<void>)[] = [];
beforeAll(async () => {
  own = await openOwnCluster("restored");
  on = await openCitusStage({ partners: 6, database: own.database });
});
afterAll(async () => {
  await on.close();
  for (const stop of restored) await stop();
  await own.stop();
});

const open = async () => {
  const [row] = await on.database.sql<{ count: number }[]>`select count(*)::int as count from settlements where status = 'processing'`;
  return row?.count ?? 0;
};

it("from their base backups to a point made while money moved: the books are right, and nothing is paid twice", async () => {
  const coordinator = inDatabase(own.cluster.nodes[0] ?? "", "restored");
  const owed: { id: string; wallet: string }[] = [];
  const oweAll = async () => {
    await Promise.all(on.stage.partners.map(async (partner) => owed.push(await on.owe(partner))));
  };
  await oweAll();
  const copies = [];
  for (const server of own.cluster.servers) {
    // Its own folder is the archive of its log: nothing in it is used again.
    await withConnection(server.superuserUrl, async (sql) => {
      await sql`alter system set wal_keep_size = '4GB'`;
      await sql`select pg_reload_conf()`;
    });
    copies.push({ server, copy: await copyServer(server) });
  }
  await oweAll();
  await bringOutbox(on.database);
  await oweAll();
  const answered = owed.map(({ id }) => id);
  // What brings the confirmations commits in two phases.
  const [made] = await Promise.all([
    withConnection(coordinator, (sql) => sql`select citus_create_restore_point(${POINT})`),
    bringOutbox(on.database),
    oweAll(),
    oweAll(),
  ]);
  expect(made).toHaveLength(1);
  await oweAll();
  await on.workUntil(async () => (await open()) === 0);

  for (const { server } of copies) await server.halt();
  for (const { server, copy } of copies)
    restored.push(await restoreServer(copy, { log: join(server.data, "pg_wal"), point: POINT, settings: CITUS_SETTINGS }));
  // Citus ends what was prepared on a node and not yet committed there.
  await withConnection(coordinator, (sql) => sql`select recover_prepared_transactions()`);

  const { sql, db } = on.database;
  const there = await eventually(async () => (await sql<{ id: string }[]>`select id from settlements`).map(({ id }) => id));
  expect(answered.filter((id) => !there.includes(id))).toEqual([]);
  expect(there.length).toBeLessThan(owed.length);
  await expectCleanAudit({ db });
  // The signing journal has more than the database: the worker halts instead of paying again.
  const passes = { count: 0 };
  await on.workUntil(async () => {
    passes.count += 1;
    return passes.count === 10;
  });
  expect((await listOpenHalts({ db })).map(({ cause }) => cause)).toContain("database_behind");
  const once = new Set((await Promise.all(owed.map(({ wallet }) => on.stage.tokenBalance(wallet)))).map(String));
  expect([...once]).toHaveLength(1);
});
