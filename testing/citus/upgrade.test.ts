import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allRoles } from "#db/application-role.ts";
import { migrate } from "#db/migrate.ts";
import { type Migration, readMigrations } from "#db/migration-files.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { openTestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { type CitusCluster, createCitusDatabase, inDatabase, startCitus } from "./cluster.ts";
import { LATER_MIGRATIONS, laterMigration, learnLaterTables } from "./later-version.ts";
import { differing, readLayout } from "./read-layout.ts";
import { type CitusStage, openCitusStage } from "./stage.ts";

/** A database in Citus's layout is upgraded, with money in it, and becomes what a new one is (docs/runbooks/citus.md). */

const KNOWN = readMigrations();
/** The first migrations of which Citus's layout can be made. */
const OLDEST = KNOWN.findIndex(({ tag }) => tag.startsWith("0066_"));
const LATER: Migration[] = [...KNOWN, ...LATER_MIGRATIONS];

let cluster: CitusCluster;
beforeAll(async () => {
  learnLaterTables();
  cluster = await startCitus();
  await createCitusDatabase(cluster.nodes, "grown");
});
afterAll(() => cluster.stop());

const urlOf = (name: string) => inDatabase(cluster.coordinator.adminUrl, name);
const openGrown = () => openTestDatabase(cluster.coordinator.adminUrl, "grown", "grown", { layout: "citus", nodes: cluster.nodes });

/** What differs between the upgraded database and one that is made with these migrations, on any node. */
async function differsFromNew(name: string, migrations: readonly Migration[]): Promise<string[]> {
  await createCitusDatabase(cluster.nodes, name);
  await migrate(urlOf(name), migrations, "citus");
  const [fresh, grown] = [await readLayout(cluster.nodes, name), await readLayout(cluster.nodes, "grown")];
  for (const layout of grown) for (const lines of Object.values(layout)) expect(lines.length).toBeGreaterThan(0);
  return differing(fresh, grown);
}

it("becomes what a new database is, from the first schema that has the layout, also when two processes migrate at once", async () => {
  await migrate(urlOf("grown"), KNOWN.slice(0, OLDEST), "citus");
  const early = openGrown();
  await addPartner(early.db);
  await Promise.all([migrate(urlOf("grown")), migrate(urlOf("grown"))]);
  expect(await differsFromNew("fresh", KNOWN)).toEqual([]);
});

describe("with money in it", () => {
  let on: CitusStage;
  beforeAll(async () => {
    on = await openCitusStage({ partners: 4, database: openGrown() });
  });
  afterAll(() => on.close());

  it("takes migrations of every kind while money moves, and becomes what a new database of that version is", async () => {
    const { stage, chain, database } = on;
    const work = stage.newWorker();
    let upgrading = true;
    let owed = 0;
    const refused: unknown[] = [];
    const traffic = (async () => {
      while (upgrading) {
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
    await expect.poll(() => owed).toBeGreaterThan(3);
    await migrate(urlOf("grown"), LATER);
    upgrading = false;
    await traffic;
    expect(await differsFromNew("fresher", LATER)).toEqual([]);
    for (const partner of stage.partners) await on.owe(partner);
    await on.workUntil(async () => {
      await stage.passTime();
      const [open] = await database.sql`select count(*)::int as count from settlements where status = 'processing'`;
      return open?.count === 0;
    });
    const [ends] =
      await database.sql`select count(*)::int as count, count(later_trace)::int as filled from settlements where status = 'executed'`;
    expect({ refused, executed: ends?.count }).toEqual({ refused: [], executed: owed + stage.partners.length });
    expect(ends?.filled).toBeGreaterThan(0);
    await expectCleanAudit({ db: database.db });
  });

  it("is not begun while a node is away, which one sentence says, and is repeated once it is back", async () => {
    const before = await readLayout(cluster.nodes, "grown");
    const next = laterMigration("away", 'ALTER TABLE "transfers" ADD COLUMN "later_away" text');
    await cluster.workers[0]?.halt();
    await expect(migrate(urlOf("grown"), [...LATER, next])).rejects.toThrow(
      /^The node 127\.0\.0\.1:\d+ of Citus does not answer: start it, and migrate again\.$/,
    );
    await cluster.workers[0]?.startAgain();
    expect(differing(before, await readLayout(cluster.nodes, "grown"))).toEqual([]);
    await migrate(urlOf("grown"), [...LATER, next]);
    LATER.push(next);
  });

  it("leaves nothing of a migration whose session ends half-way, and gives up a lock that it does not get on a node", async () => {
    const before = await readLayout(cluster.nodes, "grown");
    const next = laterMigration(
      "half",
      'ALTER TABLE "transfers" ADD COLUMN "later_half" text',
      'ALTER TABLE "settlements" ADD COLUMN "later_half" text',
    );
    await whileLocked("access share", async () => {
      const ended = migrate(urlOf("grown"), [...LATER, next]).catch((error: unknown) => error);
      await endSession('ALTER TABLE "settlements"');
      expect(await ended).toBeInstanceOf(Error);
      expect(differing(before, await readLayout(cluster.nodes, "grown"))).toEqual([]);
    });
    const { migrated } = await whileLocked("access share", async () => {
      const migrated = migrate(urlOf("grown"), [...LATER, next]);
      await expectWaiting(true);
      await expectWaiting(false);
      return { migrated };
    });
    await migrated;
    LATER.push(next);
  });

  it("builds an index again that was broken off on a node", async () => {
    const next = laterMigration(
      "index",
      'CREATE INDEX CONCURRENTLY IF NOT EXISTS "settlements_half" ON "settlements" USING btree ("later_half")',
    );
    await whileLocked("row exclusive", async () => {
      const ended = migrate(urlOf("grown"), [...LATER, next]).catch((error: unknown) => error);
      await endSession("CREATE INDEX CONCURRENTLY");
      expect(await ended).toBeInstanceOf(Error);
    });
    const indexes = async () => (await readLayout(cluster.nodes, "grown")).flatMap(({ indexes = [] }) => indexes);
    const half = (await indexes()).filter((line) => line.includes("settlements_half"));
    expect(half.some((line) => line.endsWith(" false"))).toBe(true);
    // A second time, as if its first run had built it and ended before it was recorded: Citus itself would mark it as invalid.
    await migrate(urlOf("grown"), [...LATER, next]);
    await withConnection(urlOf("grown"), (sql) => sql`delete from drizzle.__drizzle_migrations where hash = ${next.hash}`);
    await migrate(urlOf("grown"), [...LATER, next]);
    LATER.push(next);
    expect((await indexes()).filter((line) => line.endsWith(" false"))).toEqual([]);
    expect(await differsFromNew("freshest", LATER)).toEqual([]);
  });

  it("is migrated by an owner who may not create roles", async () => {
    const [superuser = ""] = cluster.nodes;
    const next = laterMigration("owner", 'ALTER TABLE "callbacks" ADD COLUMN "later_owner" text');
    const roles = allRoles("grown").filter((role) => !role.endsWith("_login") && !/_(?:worker|signer)_partner$/.test(role));
    await withConnection(inDatabase(superuser, "grown"), async (sql) => {
      for (const role of roles) await sql.unsafe(`grant "${role}" to tests with admin option`);
      await sql.unsafe("alter role tests nocreaterole");
    });
    await migrate(urlOf("grown"), [...LATER, next]);
    LATER.push(next);
  });
});

/** Holds a lock on a part of the settlements on a node meanwhile, as a session does that the coordinator knows nothing of. */
async function whileLocked<Result>(mode: string, work: () => Promise<Result>): Promise<Result> {
  return await withConnection(inDatabase(cluster.nodes[1] ?? "", "grown"), async (node) => {
    await node.unsafe("set citus.override_table_visibility = off; set citus.enable_manual_changes_to_shards = on");
    const [part] = await node<{ name: string }[]>`select relname as name from pg_class where relname ~ '^settlements_[0-9]{6}$' limit 1`;
    return (await node.begin(async (tx) => {
      await tx.unsafe(`lock table "${part?.name}" in ${mode} mode`);
      return await work();
    })) as Result;
  });
}

/** Polls until a session on that node waits for a lock, or none does. */
async function expectWaiting(waits: boolean): Promise<void> {
  await withConnection(inDatabase(cluster.nodes[1] ?? "", "grown"), (sql) =>
    expect.poll(async () => (await sql`select 1 from pg_locks where not granted`).length > 0).toBe(waits),
  );
}

/** Ends the coordinator's session of that statement, once a node waits for a lock. */
async function endSession(statement: string): Promise<void> {
  await expectWaiting(true);
  await withConnection(inDatabase(cluster.nodes[0] ?? "", "grown"), async (sql) => {
    const ended = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = 'grown' and state = 'active' and query ilike ${`${statement}%`} and application_name not like 'citus_internal%'`;
    expect(ended.length).toBe(1);
  });
}
