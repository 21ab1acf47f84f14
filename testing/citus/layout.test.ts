import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { JOINT } from "#db/citus.ts";
import { CITUS_TABLES } from "#db/citus-tables.ts";
import { type Database, openDatabase, scopedTo } from "#db/client.ts";
import { DISTRIBUTED_TABLES, DISTRIBUTION } from "#db/distribution.ts";
import { migrate } from "#db/migrate.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import { assertFitDatabase } from "#server/services/maintenance/assert-fit-database.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, type TestPartner } from "#testing/factories.ts";
import { inDatabase } from "./cluster.ts";

/** On real Citus: where the rows are, and that keys, references, rights, policies and triggers hold on the nodes that have them. */

let database: TestDatabase;
let ours: TestPartner;
let theirs: TestPartner;
beforeAll(async () => {
  database = await createTestDatabase();
  ours = await addPartner(database.db);
  theirs = await addPartner(database.db);
});
afterAll(() => database.close());

const distributed = [...DISTRIBUTED_TABLES, ...Object.keys(CITUS_TABLES)];
const reference = Object.keys(DISTRIBUTION).filter((name) => DISTRIBUTION[name]?.kind === "reference");

/** Asks each node that has parts, as its superuser. */
async function onWorkers<Row extends postgres.Row>(text: string): Promise<Row[]> {
  const name = new URL(database.url).pathname.slice(1);
  const workers = inject("testServer").nodes.slice(1);
  const answers = await Promise.all(
    workers.map((url) =>
      withConnection(inDatabase(url, name), async (node) => {
        // Otherwise Citus hides the parts from the catalogue.
        await node.unsafe("set citus.override_table_visibility = off");
        return await node.unsafe<Row[]>(text);
      }),
    ),
  );
  return answers.flat();
}

/** The parts of distributed tables on a node: each is a table whose name ends with the part's number. */
const PARTS = `(select c.oid from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  and regexp_replace(c.relname, '_[0-9]+$', '') in (${distributed.map((name) => `'${name}'`).join(", ")}) and c.relname ~ '_[0-9]{6}$')`;

describe("a database on Citus", () => {
  it("has every table where the inventory says, and all parts of a partner on one node", async () => {
    const placed = await database.sql<{ name: string; kind: string; key: string }[]>`
      select table_name::text as name, citus_table_type as kind, distribution_column as key from citus_tables order by 1`;
    expect([...placed]).toEqual(
      [
        ...distributed.map((name) => ({ name, kind: "distributed", key: "partner_id" })),
        { name: JOINT, kind: "local", key: "<none>" },
        ...reference.map((name) => ({ name, kind: "reference", key: "<none>" })),
      ].sort((one, other) => (one.name < other.name ? -1 : 1)),
    );
    const together = await database.sql`select distinct colocation_id from citus_tables where citus_table_type = 'distributed'`;
    expect(together.length).toBe(1);
    const nodes = await database.sql<{ parts: number }[]>`
      select count(*)::int as parts from citus_shards where table_name = 'settlements'::regclass group by nodeport`;
    expect([...nodes]).toEqual([{ parts: 16 }, { parts: 16 }]);
  });

  it("is unique in no part without the partner, and refers from part to part by it", async () => {
    const without =
      await onWorkers(`select i.indexrelid::regclass::text as name from pg_index i where i.indisunique and i.indrelid in ${PARTS}
      and not exists (select from pg_attribute a where a.attrelid = i.indrelid and a.attname = 'partner_id' and a.attnum = any(i.indkey))`);
    expect(without).toEqual([]);
    const references = await onWorkers<{ rule: string }>(`select distinct regexp_replace(conname, '_[0-9]+$', '') as rule
      from pg_constraint where contype = 'f' and conrelid in ${PARTS} and confrelid in ${PARTS}`);
    expect([...new Set(references.map(({ rule }) => rule))].sort()).toEqual([
      "approval_demands_settlement_id_settlements_id_fk",
      "callback_attempts_callback_id_callbacks_id_fk",
      "settlement_approvals_settlement_id_settlements_id_fk",
      "settlement_quotes_settlement_id_settlements_id_fk",
    ]);
  });

  it("refuses a process that does not know of Citus: it would look for nonces in another table", async () => {
    const opened = openDatabase({ url: database.url, applicationName: "unaware", maxConnections: 1 });
    try {
      await expect(assertFitDatabase({ db: opened.db, mode: "sandbox" }, "web")).rejects.toThrow(/Set DATABASE_LAYOUT=citus/);
    } finally {
      await opened.close();
    }
  });

  it("is as it was after the next migrate, which does not say Citus", async () => {
    const shape = () => onWorkers(`select relname from pg_class where relnamespace = 'public'::regnamespace order by 1`);
    const before = await shape();
    await migrate(database.url);
    expect(await shape()).toEqual(before);
  });
});

/** A stored answer: the smallest row of a distributed table. */
async function store(db: Database, partner: TestPartner, key = randomUUID()): Promise<string> {
  await db.execute(sql`insert into idempotency_keys
    (partner_id, method, path, key, body_sha256, response_status, response_headers, response_body, created_at)
    values (${partner.partnerId}::uuid, 'POST', '/', ${key}, '', 200, '', '', now())`);
  return key;
}

const found = async (db: Database, key: string) => (await db.execute(sql`select 1 from idempotency_keys where key = ${key}`)).length;

describe("on the nodes that have a partner's rows", () => {
  it("a partner's work sees its own rows alone, and writes no other partner's", async () => {
    const us = scopedTo(database.web, { of: "partner", id: ours.partnerId });
    const mine = await store(us, ours);
    const other = await store(database.db, theirs);
    expect([await found(us, mine), await found(us, other), await found(database.web, other)]).toEqual([1, 0, 1]);
    await expect(store(us, theirs)).rejects.toThrow();
    await us.transaction(async (tx) => expect([await found(tx, mine), await found(tx, other)]).toEqual([1, 0]));
  });

  it("a session of a partner's role that names no partner sees nothing", async () => {
    const mine = await store(database.db, ours);
    const role = `${database.webRole}_partner`;
    await database.sql.begin(async (tx) => {
      await tx.unsafe(`set local role "${role}"`);
      const rows = await tx`select 1 from idempotency_keys where key = ${mine}`;
      expect(rows.length).toBe(0);
    });
  });

  it("each role has its rights on the nodes: of quotes it may add rows, and neither change nor delete them", async () => {
    const refused = onWorkers<{ name: string }>(`select distinct grantee as name from information_schema.role_table_grants
      where table_name ~ '^settlement_quotes_[0-9]+$' and privilege_type in ('UPDATE', 'DELETE') and grantee <> 'tests'`);
    expect(await refused).toEqual([]);
    const writers = await onWorkers<{ name: string }>(`select distinct grantee as name from information_schema.role_table_grants
      where table_name ~ '^settlement_quotes_[0-9]+$' and privilege_type = 'INSERT' and grantee <> 'tests'`);
    expect(writers.length).toBeGreaterThan(0);
  });
});
