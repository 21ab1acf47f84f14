import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { partnerRole } from "./application-role.ts";
import { migrate } from "./migrate.ts";
import { FUNCTIONS, RIGHTS } from "./rights.ts";

let database: TestDatabase;
let owner: postgres.Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = postgres(database.url, { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  await owner.end();
  await database.close();
});

const rolesOf = () => ({
  web: database.webRole,
  partner: partnerRole(database.webRole),
  worker: database.webRole.replace(/_web$/, "_worker"),
  signer: database.webRole.replace(/_web$/, "_signer"),
});

/** What PostgreSQL lets a role do with a table, in the words of the list. */
async function grantsOf(role: string): Promise<Record<string, string[]>> {
  const rows = await owner<{ name: string; may: string }[]>`
    select c.relname as name, asked || case when has_table_privilege(${role}, c.oid, asked) then '' else ' (' || (
        select string_agg(attname, ', ' order by attname) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and asked in ('select', 'insert', 'update')
          and has_column_privilege(${role}, c.oid, attnum, case when asked in ('insert', 'update') then asked else 'select' end)) || ')' end as may
    from pg_class c, unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as asked
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition order by 1`;
  return Object.fromEntries(
    Object.keys(RIGHTS).map((name) => [name, rows.flatMap((row) => (row.name === name && row.may !== null ? [row.may] : [])).sort()]),
  );
}

function words(grants: string): string[] {
  const found = grants.match(/\w+(?: \([^)]*\))?/g) ?? [];
  return found
    .map((word) =>
      word.replace(
        /\(([^)]*)\)/,
        (_, names: string) =>
          `(${names
            .split(",")
            .map((name) => name.trim())
            .sort()
            .join(", ")})`,
      ),
    )
    .sort();
}

describe("what each process may do", () => {
  it("is decided for every table and view: one line in db/rights.ts for each", async () => {
    const found = await owner<{ name: string }[]>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition`;
    expect(Object.keys(RIGHTS).sort()).toEqual(found.map(({ name }) => name).sort());
  });

  it.each(["web", "partner", "worker", "signer"] as const)("is for the %s what the list says, and nothing else", async (kind) => {
    const role = rolesOf()[kind];
    const wanted = Object.fromEntries(Object.entries(RIGHTS).map(([name, rights]) => [name, words(rights[kind])]));
    expect(await grantsOf(role)).toEqual(wanted);
  });

  it("is for no role, those of the release before included, to write through a view", async () => {
    const roles = [database.role, partnerRole(database.role), ...Object.values(rolesOf())];
    const rights = await owner<{ name: string; role: string; word: string; held: boolean }[]>`
      select c.relname as name, role, word, has_table_privilege(role, c.oid, word) as held
      from pg_class c, unnest(${roles}::text[]) as role, unnest(array['select', 'insert', 'update', 'delete']) as word
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'`;
    const held = rights.filter((right) => right.held && right.word !== "select");
    expect(rights.some(({ role, word, held }) => role === database.role && word === "select" && held)).toBe(true);
    expect(held).toEqual([]);
  });

  it("is at least for the web what a partner's request may do in it", () => {
    const more = Object.entries(RIGHTS).filter(
      ([, { web, partner }]) =>
        !words(partner).every((word) => words(web).some((held) => held === word || held === word.replace(/ \(.*/, ""))),
    );
    expect(more.map(([name]) => name)).toEqual([]);
  });

  it("is for the signer nothing but reading: whatever it writes, to whatever table, is refused", async () => {
    const [row] = await owner<{ columns: { name: string; column: string }[] }[]>`
      select jsonb_agg(jsonb_build_object('name', c.relname, 'column', (select attname from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum limit 1))) as columns
      from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
    const signer = postgres(database.url, { max: 1, onnotice: () => {}, connection: { role: rolesOf().signer } });
    try {
      expect(row?.columns.length).toBeGreaterThan(50);
      for (const { name, column } of row?.columns ?? [])
        for (const statement of [
          `insert into "${name}" default values`,
          `update "${name}" set "${column}" = "${column}"`,
          `delete from "${name}"`,
          `truncate "${name}"`,
        ])
          await expect(signer.unsafe(statement), statement).rejects.toThrow(`permission denied for table ${name}`);
    } finally {
      await signer.end();
    }
  });

  it("is decided for every function that works as the owner, and no other role may call one", async () => {
    const found = await owner<{ name: string; isOpen: boolean }[]>`
      select p.oid::regprocedure::text as name, p.proacl is null or exists (select from aclexplode(p.proacl) where grantee = 0) as "isOpen"
      from pg_proc p where pronamespace = 'public'::regnamespace and prosecdef`;
    expect(found.filter(({ isOpen }) => isOpen)).toEqual([]);
    expect(found.map(({ name }) => name.replaceAll(",", ", ").replaceAll(/ +/g, " ")).sort()).toEqual(Object.keys(FUNCTIONS).sort());
    for (const [signature, callers] of Object.entries(FUNCTIONS))
      for (const [kind, role] of Object.entries(rolesOf())) {
        const [may] = await owner`select has_function_privilege(${role}, ${signature}, 'execute') as it`;
        const inherited = kind === "web" && callers.includes("partner");
        expect([signature, kind, may?.it]).toEqual([signature, kind, inherited || callers.some((caller) => caller === kind)]);
      }
  });

  it("leaves the roles of the release before what its processes do while both run", async () => {
    for (const role of [database.role, partnerRole(database.role)])
      for (const right of ["select", "insert", "update", "delete"]) {
        const [may] = await owner`select has_table_privilege(${role}, 'transfers', ${right}) as it`;
        expect([role, right, may?.it]).toEqual([role, right, true]);
      }
  });

  it("loses what somebody else has granted with the next migrate", async () => {
    await migrate(database.url);
    const web = `${new URL(database.url).pathname.slice(1)}_web`;
    await owner.unsafe(`grant all on wallets to "${web}"`);
    await migrate(database.url);
    const [may] = await owner`select has_table_privilege(${web}, 'wallets', 'insert') as it`;
    expect(may?.it).toBe(false);
  });
});
