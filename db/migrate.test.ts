import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { allRoles } from "./application-role.ts";
import { openDatabase } from "./client.ts";
import { isConcurrent } from "./concurrent-index.ts";
import { MissingRoles, migrate, UnfitOrder, UnknownSchema } from "./migrate.ts";
import { type Migration, oldestCompanion, readMigrations } from "./migration-files.ts";
import { locksOf } from "./migration-locks.ts";
import { compareSchema, readSchemaState } from "./queries/maintenance/schema-state.ts";

const KNOWN = readMigrations();
const added = (tag: string, ...statements: string[]): Migration => ({ tag, hash: `hash of ${tag}`, when: 9_999_999_999_999, statements });

let admin: postgres.Sql;
const made: string[] = [];
beforeAll(() => {
  admin = postgres(inject("testServer").adminUrl, { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  for (const name of made) {
    await admin`drop database if exists ${admin(name)} with (force)`;
    await admin`drop role if exists ${admin(allRoles(name))}`;
  }
  await admin.end();
});

async function emptyDatabase(locale = ""): Promise<string> {
  const name = `migrate_${randomBytes(6).toString("hex")}`;
  await admin.unsafe(`create database ${name} ${locale && `template template0 ${locale}`}`);
  made.push(name);
  const url = new URL(inject("testServer").adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function on<Result>(url: string, work: (sql: postgres.Sql) => Promise<Result>): Promise<Result> {
  const sql = postgres(url, { max: 2, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

describe("migrate", () => {
  it("applies what is missing and nothing twice, also when several processes start at once", async () => {
    const url = await emptyDatabase();
    await Promise.all([migrate(url), migrate(url), migrate(url)]);
    await migrate(url, [...KNOWN, added("0900_more", "create table more (id int)")]);
    const applied = await on(url, (sql) => sql`select hash from drizzle.__drizzle_migrations order by id`);
    expect(applied.map(({ hash }) => hash)).toEqual([...KNOWN.map(({ hash }) => hash), "hash of 0900_more"]);
  });

  it("leaves nothing of a migration that fails", async () => {
    const url = await emptyDatabase();
    await expect(migrate(url, [...KNOWN, added("0900_bad", "create table half (id int)", "nonsense")])).rejects.toThrow();
    expect(await on(url, (sql) => sql`select to_regclass('half') as half`)).toEqual([{ half: null }]);
    await migrate(url, [...KNOWN, added("0900_good", "create table whole (id int)")]);
  });

  it("gives up a lock that it does not get, so that nobody waits behind it for long, and tries again", async () => {
    const url = await emptyDatabase();
    await migrate(url);
    await on(url, async (sql) => {
      const done = await sql.begin(async (tx) => {
        await tx`lock table partners in access share mode`;
        const migrated = migrate(url, [...KNOWN, added("0900_column", "alter table partners add column further int")]);
        // Readers of the table queue behind the migration while it waits for its lock, so that wait must end.
        await untilLocked(sql, "partners");
        await sql`select count(*) from partners`;
        return { migrated };
      });
      await done.migrated;
    });
  });

  it("builds an index while others read and write, outside of any transaction", async () => {
    const url = await emptyDatabase();
    await migrate(url, [...KNOWN, added("0900_index", "-- why\ncreate index concurrently settlements_extra on settlements (created_at)")]);
    const [index] = await on(url, (sql) => sql`select indisvalid from pg_index where indexrelid = 'settlements_extra'::regclass`);
    expect(index).toEqual({ indisvalid: true });
    expect([isConcurrent(" drop index concurrently x"), isConcurrent("create index x on y (z)")]).toEqual([true, false]);
  });

  it("builds again an index that was broken off, instead of taking the rest of it for the whole", async () => {
    const url = await emptyDatabase();
    await migrate(url);
    const half = "create index concurrently if not exists settlements_extra on settlements (created_at)";
    await on(url, async (sql) => {
      const state = () => sql`select indisvalid from pg_index where indexrelid = 'settlements_extra'::regclass`;
      // A build that waited too long for somebody's transaction.
      await sql.begin(async (tx) => {
        await tx`lock table settlements in row exclusive mode`;
        const build = postgres(url, { max: 1, onnotice: () => {}, connection: { lock_timeout: 200 } });
        await expect(build.unsafe(half)).rejects.toThrow(/lock timeout/);
        await build.end();
      });
      expect(await state()).toEqual([{ indisvalid: false }]);
      await migrate(url, [...KNOWN, added("0900_index", half)]);
      expect(await state()).toEqual([{ indisvalid: true }]);
    });
  });

  it("knows what a migration will lock, and never waits for one table while it holds another for as long as a deadlock takes", async () => {
    const locks = locksOf([
      '-- why\nalter table "partners" add column "further" int',
      "alter table users validate constraint x",
      "create trigger t before update or delete on settlements for each row execute function f()",
      'alter table "partners" add constraint fk foreign key (a) references "public"."callbacks"("id") not valid',
    ]);
    expect([...locks].sort()).toEqual([
      ["callbacks", "share row exclusive"],
      ["partners", "access exclusive"],
      ["settlements", "share row exclusive"],
    ]);
    const url = await emptyDatabase();
    await migrate(url);
    await on(url, async (sql) => {
      const { migrated } = await sql.begin(async (tx) => {
        await tx`lock table users in access share mode`;
        const both = added("0900_both", "alter table partners add column further int", "alter table users add column further int");
        const migrated = migrate(url, [...KNOWN, both]);
        await untilLocked(sql, "users");
        // The migration has locked the partners by now: it is the one to give way.
        await tx`select count(*) from partners`;
        return { migrated };
      });
      await migrated;
    });
  });

  it("lets the version before go on, and refuses one that is older, or of another line, with what to do", async () => {
    const url = await emptyDatabase();
    const before = [...KNOWN, added("0900_before")];
    const now = [...before, added("0901_now")];
    await migrate(url, now);
    await expect(migrate(url, KNOWN.slice(0, 1))).rejects.toThrow(UnknownSchema);
    await expect(migrate(url, [...before, added("0901_other"), added("0902_other")])).rejects.toThrow(/does not know its schema/);
    const hashes = now.map(({ hash }) => hash);
    expect(oldestCompanion(now, { "1.0.0": { a: "", b: "" }, "1.1.0": { c: "" } })).toBe(3);
    expect([before, KNOWN, now].map((known) => compareSchema(hashes, before.length, known))).toEqual(["companion", "newer", "same"]);
  });
});

/** Somebody waits for a lock on the table. */
async function untilLocked(sql: postgres.Sql, table: string): Promise<void> {
  await expect
    .poll(async () => (await sql`select 1 from pg_locks where relation = ${table}::regclass and not granted`).length, { timeout: 60_000 })
    .toBeGreaterThan(0);
}

describe("a log-in that may not create roles", () => {
  it("names what somebody else has to run, and migrates once that is done", async () => {
    const owner = `plain_${randomBytes(6).toString("hex")}`;
    const url = new URL(await emptyDatabase());
    const name = url.pathname.slice(1);
    await admin.unsafe(`create role ${owner} login password 'of the test'`);
    await admin.unsafe(`grant ${owner} to current_user`);
    await admin.unsafe(`alter database ${name} owner to ${owner}`);
    Object.assign(url, { username: owner, password: "of the test" });
    try {
      const refused = await migrate(url.href).catch((error: Error) => error);
      expect(refused).toBeInstanceOf(MissingRoles);
      const statements = String((refused as Error).message).replace(/^.*As a superuser run: /, "");
      expect(statements.match(/create role/g)).toHaveLength(6);
      await admin.unsafe(statements);
      expect(await migrate(url.href)).toBe(`${name}_app`);
      expect(await migrate(url.href)).toBe(`${name}_app`);
      const [may] = await on(url.href, (sql) => sql`select has_table_privilege(${`${name}_web`}, 'settlements', 'insert') as it`);
      expect(may?.it).toBe(true);
    } finally {
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin`drop role if exists ${admin(allRoles(name))}`;
      await admin.unsafe(`drop role ${owner}`);
    }
  });
});

it("refuses a database that sorts ids by the rules of a language, and leaves it as it is", async () => {
  const url = await emptyDatabase("locale_provider icu icu_locale 'cs'");
  await expect(migrate(url)).rejects.toThrow(UnfitOrder);
  expect(await on(url, (sql) => sql`select 1 from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([]);
});

describe("the schema's state", () => {
  it("can be read by the application, before any migration and after", async () => {
    const url = await emptyDatabase();
    const before = openDatabase({ url, applicationName: "test", maxConnections: 1 });
    expect(await readSchemaState(before.db)).toBe("missing");
    await before.close();
    const role = await migrate(url, KNOWN.slice(0, 2));
    const after = openDatabase({ url, applicationName: "test", maxConnections: 1, role });
    expect(await readSchemaState(after.db)).toBe(KNOWN.length === 2 ? "same" : "older");
    await after.close();
    await migrate(url);
    const upToDate = openDatabase({ url, applicationName: "test", maxConnections: 1, role });
    expect(await readSchemaState(upToDate.db)).toBe("same");
    await upToDate.close();
  });
});
