import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabaseIn, type TestDatabase } from "#testing/database.ts";
import { partnerRole } from "./application-role.ts";
import { NoCitus } from "./citus.ts";
import { DISTRIBUTED_TABLES, DISTRIBUTION } from "./distribution.ts";
import { NotEmpty } from "./layout.ts";
import { migrate } from "./migrate.ts";

let whole: TestDatabase;
let spread: TestDatabase;
beforeAll(async () => {
  whole = await createTestDatabaseIn("whole");
  spread = await createTestDatabaseIn("hashed");
});
afterAll(async () => {
  await whole.close();
  await spread.close();
});

const DISTRIBUTED = [...DISTRIBUTED_TABLES].sort();

/** The tables in a database; a partition counts as its parent. */
async function shapeOf({ sql }: TestDatabase) {
  const tables = sql`select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  const columns = await sql`select attrelid::regclass::text as table, attname as column, format_type(atttypid, atttypmod) as type,
      (select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = attrelid and adnum = attnum) as otherwise
    from pg_attribute where attrelid in (${tables}) and attnum > 0 and not attisdropped order by 1, attnum`;
  const checks = await sql`select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as rule from pg_constraint
    where contype = 'c' and conrelid in (${tables}) order by 1, 2`;
  const triggers = await sql`select tgrelid::regclass::text as table, pg_get_triggerdef(oid) as rule from pg_trigger
    where not tgisinternal and tgrelid in (${tables}) order by 1, tgname`;
  const policies =
    await sql`select polrelid::regclass::text as table, pg_get_expr(polqual, polrelid) as reads, pg_get_expr(polwithcheck, polrelid) as writes
    from pg_policy where polrelid in (${tables}) order by 1, 2, 3`;
  const indexes =
    await sql`select i.indrelid::regclass::text as table, c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid in (${tables}) order by 1, 2`;
  const views = await sql`select viewname as name, definition from pg_views where schemaname = 'public' order by 1`;
  const withoutNotValid = checks.map((check) => ({ ...check, rule: check.rule.replace(/ NOT VALID$/, "") }));
  return { columns, checks: withoutNotValid, triggers, policies, indexes, views };
}

it("cannot be Citus's where there is no Citus, which one sentence says", async () => {
  await expect(migrate(whole.url, undefined, "citus")).rejects.toThrow(NoCitus);
  await expect(migrate(whole.url, undefined, "citus")).rejects.toThrow("create extension citus");
});

describe("where each table's rows belong", () => {
  it("is said of every table of the schema, and of none that there is not", async () => {
    const found = await whole.sql<{ name: string }[]>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`;
    expect(Object.keys(DISTRIBUTION).sort()).toEqual(found.map(({ name }) => name));
  });

  it("is with its partner of none that does not say which partner that is", async () => {
    const said = await whole.sql<{ name: string }[]>`
      select attrelid::regclass::text as name from pg_attribute where attname = 'partner_id' and attrelid::regclass::text = any(${DISTRIBUTED}) order by 1`;
    expect(said.map(({ name }) => name)).toEqual(DISTRIBUTED);
  });
});

describe("a database that is spread by partner", () => {
  it("has every distributed table in parts, and each row's partner is known", async () => {
    const parts = await spread.sql<{ name: string; parts: number; key: string }[]>`
      select c.relname as name, (select count(*)::int from pg_inherits where inhparent = c.oid) as parts, pg_get_partkeydef(c.oid) as key
      from pg_class c where relkind = 'p' and relnamespace = 'public'::regnamespace and relname <> 'archived_rows' order by 1`;
    expect([...parts]).toEqual(DISTRIBUTED.map((name) => ({ name, parts: 8, key: "HASH (partner_id)" })));
    const open = await spread.sql`select attrelid::regclass::text from pg_attribute
      where attname = 'partner_id' and not attnotnull and attrelid::regclass::text = any(${DISTRIBUTED})`;
    expect([...open]).toEqual([]);
  });

  it("is unique in nothing without the partner, and refers from one part to another by it", async () => {
    const without = await spread.sql`
      select i.indexrelid::regclass::text as name from pg_index i where i.indisunique and i.indrelid::regclass::text = any(${DISTRIBUTED})
        and not exists (select from pg_attribute a where a.attrelid = i.indrelid and a.attname = 'partner_id' and a.attnum = any(i.indkey))`;
    expect([...without]).toEqual([]);
    const references = await spread.sql<{ from: string; rule: string }[]>`
      select conrelid::regclass::text as from, pg_get_constraintdef(oid) as rule from pg_constraint
      where contype = 'f' and confrelid::regclass::text = any(${DISTRIBUTED}) and conparentid = 0 order by 1`;
    expect(references.map(({ from, rule }) => `${from}: ${rule}`)).toEqual([
      "approval_demands: FOREIGN KEY (partner_id, settlement_id) REFERENCES settlements(partner_id, id)",
      "callback_attempts: FOREIGN KEY (partner_id, callback_id) REFERENCES callbacks(partner_id, id)",
      "settlement_approvals: FOREIGN KEY (partner_id, settlement_id) REFERENCES settlements(partner_id, id)",
      "settlement_quotes: FOREIGN KEY (partner_id, settlement_id) REFERENCES settlements(partner_id, id)",
    ]);
  });

  it("is in all else as one that is not: columns, checks, triggers, policies, indexes and views", async () => {
    const [one, other] = [await shapeOf(whole), await shapeOf(spread)];
    const rolesAside = (shape: object) => JSON.stringify(shape).replaceAll(new RegExp(`${spread.role}|${whole.role}`, "g"), "role");
    expect(JSON.parse(rolesAside(other))).toEqual(JSON.parse(rolesAside(one)));
  });

  it("has no part into which anybody but its owner could look, past the policies of the whole", async () => {
    for (const role of [spread.role, partnerRole(spread.role)]) {
      const may = await spread.sql`select c.relname from pg_class c where relnamespace = 'parts'::regnamespace
        and (has_schema_privilege(${role}, 'parts', 'usage') or has_table_privilege(${role}, c.oid, 'select')) and relkind = 'r'`;
      expect([...may]).toEqual([]);
    }
  });

  it("stays as it is, however often it is migrated; one that has rows is not made into one", async () => {
    await migrate(spread.url, undefined, "hashed");
    await migrate(spread.url);
    const [kind] = await spread.sql`select relkind from pg_class where relname = 'settlements' and relnamespace = 'public'::regnamespace`;
    expect(kind?.relkind).toBe("p");
    const filled = await createTestDatabaseIn("whole");
    try {
      await filled.sql`insert into idempotency_keys (partner_id, method, path, key, body_sha256, response_status, response_headers, response_body, created_at)
        values (gen_random_uuid(), 'POST', '/', 'k', '', 200, '', '', now())`;
      await expect(migrate(filled.url, undefined, "hashed")).rejects.toThrow(NotEmpty);
      expect(await filled.sql`select 1 from idempotency_keys`).toHaveLength(1);
    } finally {
      await filled.close();
    }
  });
});
