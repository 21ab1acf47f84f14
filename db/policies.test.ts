import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Database, scopedTo } from "#db/client.ts";
import { newId } from "#domain/ids.ts";
import { REGISTRY } from "#server/rest/registry.ts";
import { handle } from "#server/rest/surface.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setRate, TEST_CHAIN } from "#testing/factories.ts";
import { issueKey, readAnswer, signedRequest, testContext, testSurfaceContext } from "#testing/surface.ts";
import { partnerRole } from "./application-role.ts";
import { TENANT_SETTING } from "./driver/tenant.ts";
import { applyPolicies, POLICIES, POLICIES_OF_PEOPLE } from "./policies.ts";

/** The database itself separates partners, whatever a query asks: each of these tests fails without its policies. */

let database: TestDatabase;
let ours: string;
let theirs: string;
let us: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  await addTerms(database.db);
  await setRate(database.db, "0.0077");
  [ours, theirs] = [await workOf(), await workOf()];
  us = scopedTo(database.web, { of: "partner", id: ours });
});
afterAll(() => database.close());

/** A new partner that has one of nearly everything. */
async function workOf(): Promise<string> {
  const surfaceContext = testSurfaceContext(testContext(database.db));
  const key = await issueKey(surfaceContext.ctx);
  const partnerId = key.partnerId ?? "";
  const ask = async (target: string, body: object) => {
    const { surface, bindings } = REGISTRY.settlement;
    return readAnswer(
      await handle(surface, surfaceContext, bindings, signedRequest(key, { method: "POST", target, body: JSON.stringify(body) })),
    );
  };
  const terms = { source_amount: 100_000, source_currency: "KES", destination_currency: "USDT", external_merchant_id: "merchant-1" };
  const place = { chain: TEST_CHAIN.chain, wallet_address: "0x52908400098527886E0F7030069857D2E4169EE7" };
  const made = await ask("/api/v1/settlements", { ...terms, ...place, callback_url: "http://localhost:9/callback" });
  const confirmed = await ask(`/api/v1/settlements/${made.body.tx_id}/confirm`, { external_tx_id: randomUUID() });
  expect(confirmed.status).toBe(200);
  await database.sql`insert into users (id, email, name, role, password_hash, partner_id, created_at)
    values (${randomUUID()}, ${`${partnerId}@there.example`}, 'Somebody', 'owner', 'x', ${partnerId}, now())`;
  return partnerId;
}

type Whose = { table: string; column: string };
const places = (): Whose[] => Object.keys(POLICIES).map((table) => ({ table, column: table === "partners" ? "id" : "partner_id" }));

async function countOf(db: Database, { table, column }: Whose, partnerId: string): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from ${sql.identifier(table)} where ${sql.identifier(column)} = ${partnerId}::uuid`,
  );
  return row?.count ?? -1;
}

describe("every table that says whose its rows are", () => {
  it("has its policies: one line in db/policies.ts for each", async () => {
    const found = await database.sql<{ name: string; open: boolean; roles: string[] }[]>`
      select relname as name, not relrowsecurity as open,
        array(select distinct r.rolname::text from pg_policy p, unnest(p.polroles) as role join pg_roles r on r.oid = role where p.polrelid = c.oid) as roles
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'partner_id' and not a.attisdropped
      where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`;
    const wanted = [database.role, partnerRole(database.role), database.webRole, partnerRole(database.webRole)];
    const missing = found.filter(({ open, roles }) => open || !wanted.every((role) => roles.includes(role))).map(({ name }) => name);
    expect(missing).toEqual([]);
    expect(found.map(({ name }) => name).sort()).toEqual(
      Object.keys(POLICIES)
        .filter((name) => name !== "partners")
        .sort(),
    );
  });

  it("shows a partner its own rows, and never another's, to a query that forgets to ask", async () => {
    const filled: string[] = [];
    for (const place of places()) {
      if ((await countOf(database.db, place, theirs)) === 0) continue;
      filled.push(place.table);
      expect([place.table, await countOf(us, place, ours)]).toEqual([place.table, await countOf(database.db, place, ours)]);
      expect([place.table, await countOf(us, place, theirs)]).toEqual([place.table, 0]);
    }
    expect(filled).toEqual(expect.arrayContaining(["api_keys", "audit_entries", "partners", "settlements", "transfers", "users"]));
  });

  it("shows nothing to a session of the role that names no partner, even after another one named one", async () => {
    const fresh = postgres(database.url, { max: 1, onnotice: () => {}, connection: { role: database.webRole } });
    const asPartner = <Seen>(look: (tx: postgres.TransactionSql) => Promise<Seen>) =>
      fresh.begin(async (tx) => {
        await tx`set local role ${tx(partnerRole(database.webRole))}`;
        return await look(tx);
      });
    const count = (tx: postgres.TransactionSql, { table, column }: Whose) =>
      tx`select count(*)::int as count from ${tx(table)} where ${tx(column)} is not null`;
    try {
      for (const place of places()) expect([place.table, await asPartner((tx) => count(tx, place))]).toEqual([place.table, [{ count: 0 }]]);
      await fresh.begin((tx) => tx.unsafe(`set local ${TENANT_SETTING} = '${ours}'`));
      await expect(asPartner((tx) => count(tx, { table: "settlements", column: "partner_id" }))).rejects.toThrow(
        /invalid input syntax for type uuid/,
      );
    } finally {
      await fresh.end();
    }
  });
});

it("a partner's work finds by wallet its own settlements, and none where it names no partner", async () => {
  const byWallet = sql`select partner_id as partner from settlements_by_wallet where wallet = '0x52908400098527886e0f7030069857d2e4169ee7'`;
  expect([...(await us.execute(byWallet))]).toEqual([{ partner: ours }]);
  expect(await database.web.execute(byWallet)).toHaveLength(2);
  const nobodys = await database.web.transaction(async (tx) => {
    await tx.execute(sql`set local role ${sql.identifier(partnerRole(database.webRole))}`);
    return await tx.execute(byWallet);
  });
  expect([...nobodys]).toEqual([]);
});

describe("a ledger entry's lines that are the house's", () => {
  const ENTRY = (id: string, partnerId: string) => sql`
    with entry as (
      insert into ledger_entries (id, cause, cause_id, step, phase, resolves_id, partner_id, lines, at)
      values (${id}, 'topup', ${id}, 'collected', 'posted', null, ${partnerId}::uuid, 2, now())
    )
    insert into ledger_postings (entry_id, line, lines, phase, account, partner_id, currency, chain, decimals, amount)
    values (${id}, 1, 2, 'posted', 'fiat_pool', null, 'KES', null, 2, 600), (${id}, 2, 2, 'posted', 'fiat_clearing', null, 'KES', null, 2, -600)`;
  const lines = sql`select entry_id as entry from ledger_postings order by 1`;

  it("are written with it, and read by the partner of the entry alone", async () => {
    const [mine, yours] = [newId("ledgerEntry", new Date()), newId("ledgerEntry", new Date())];
    const them = scopedTo(database.web, { of: "partner", id: theirs });
    await us.execute(ENTRY(mine, ours));
    await them.execute(ENTRY(yours, theirs));
    expect([...(await us.execute(lines))]).toEqual([{ entry: mine }, { entry: mine }]);
    expect([...(await them.execute(lines))]).toEqual([{ entry: yours }, { entry: yours }]);
  });
});

it("a policy that an earlier version has left for a partner's role is dropped by the next migrate", async () => {
  const role = partnerRole(database.webRole);
  const owner = postgres(database.url, { max: 1, onnotice: () => {} });
  try {
    await owner.unsafe(`create policy "left over" on settlements for all to "${role}" using (true)`);
    await applyPolicies(owner, {
      application: database.role,
      web: database.webRole,
      worker: database.webRole.replace(/_web$/, "_worker"),
      signer: database.webRole.replace(/_web$/, "_signer"),
      partner: role,
      formerPartner: partnerRole(database.role),
    });
    expect(await countOf(us, { table: "settlements", column: "partner_id" }, theirs)).toBe(0);
  } finally {
    await owner.end();
  }
});

describe("what a partner's work writes", () => {
  it("is its own, though an update names no partner", async () => {
    await us.execute(sql`update settlements set external_merchant_id = 'rewritten'`);
    const rows = await database.sql<{ partner: string; merchant: string }[]>`
      select partner_id as partner, external_merchant_id as merchant from settlements order by 2`;
    expect(rows).toEqual([
      { partner: theirs, merchant: "merchant-1" },
      { partner: ours, merchant: "rewritten" },
    ]);
    await expect(us.execute(sql`delete from users`)).rejects.toMatchObject({
      cause: expect.objectContaining({ message: "permission denied for table users" }),
    });
  });

  it("cannot be put, or moved, to another partner, nor to nobody", async () => {
    const refused = { cause: expect.objectContaining({ message: expect.stringContaining("row-level security") }) };
    await expect(us.execute(sql`update settlements set partner_id = ${theirs}::uuid`)).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining("is fixed") }),
    });
    await expect(
      us.execute(sql`insert into callback_secrets (id, partner_id, sealed_secret, created_at)
      values (gen_random_uuid(), ${theirs}::uuid, 'x', now())`),
    ).rejects.toMatchObject(refused);
    await expect(us.execute(sql`update api_keys set partner_id = null`)).rejects.toMatchObject(refused);
  });
});

it("a partner's work changes nothing of the house's own figures", async () => {
  for (const table of ["wallet_balances", "transactions", "pair_terms", "audit_seals", "proposals"])
    await expect(us.execute(sql`delete from ${sql.identifier(table)}`)).rejects.toMatchObject({
      cause: expect.objectContaining({ message: `permission denied for table ${table}` }),
    });
});

it("what the treasury has promised to all partners counts in each partner's quote", async () => {
  const promised = sql`select sum(amount_base)::text as base from promised_transfers`;
  const [all] = await database.db.execute(promised);
  expect([...(await us.execute(promised))]).toEqual([all]);
  const [own] = await us.execute(sql`select sum(amount_base)::text as base from transfers`);
  expect(own).not.toEqual(all);
});

describe("a partner's view of the pool", () => {
  const whoami = sql`select current_user as role, current_setting('service.partner', true) as partner`;

  it("holds in single statements, transactions and savepoints, and leaves nothing behind in the session", async () => {
    const settings = { role: partnerRole(database.webRole), partner: ours };
    expect([...(await us.execute(whoami))]).toEqual([settings]);
    await us.transaction(async (tx) => {
      expect([...(await tx.execute(whoami))]).toEqual([settings]);
      await tx.transaction(async (inner) => expect([...(await inner.execute(whoami))]).toEqual([settings]));
    });
    await expect(us.execute(sql`select 1 / 0`)).rejects.toThrow();
    for (let connection = 0; connection < 20; connection += 1) {
      const [row] = await database.web.execute<{ role: string; partner: string | null }>(whoami);
      expect([row?.role, row?.partner || null]).toEqual([database.webRole, null]);
    }
  });

  it("keeps many partners' work apart on the same connections", async () => {
    const rounds = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? ours : theirs));
    const seen = await Promise.all(
      rounds.map(async (id, index) => {
        const db = scopedTo(database.web, { of: "partner", id });
        const ask = (on: Database) =>
          on.execute<{ id: string }>(sql`select distinct partner_id as id from settlements where ${index}::int >= 0`);
        const rows = index % 3 === 0 ? await db.transaction(ask) : await ask(db);
        return rows.map((row) => row.id);
      }),
    );
    expect(seen).toEqual(rounds.map((id) => [id]));
  });

  it("is of nobody that is no partner's id, and of no pool that works as the owner", () => {
    expect(() => scopedTo(database.db, { of: "partner", id: "'; reset role; --" })).toThrow("named by its id");
    expect(scopedTo(database.db, { of: "everybody" })).toBe(database.db);
  });
});

it("another copy of this module, as a bundler makes them, knows the same views", async () => {
  vi.resetModules();
  const copy = await import("#db/client.ts");
  expect(copy.scopedTo).not.toBe(scopedTo);
  const [row] = await copy
    .scopedTo(database.web, { of: "partner", id: ours })
    .execute<{ count: number }>(sql`select count(*)::int as count from partners`);
  expect(row?.count).toBe(1);
});

describe("a policy", () => {
  // `id = $1` together with a plain `partner_id = …` made the planner walk the index of all the partner's rows.
  it("says whose rows in a way that no index serves: only a query's own words choose one", async () => {
    const rules = await database.sql<{ name: string; rule: string }[]>`
      select c.relname as name, pg_get_expr(coalesce(p.polqual, p.polwithcheck), p.polrelid) as rule from pg_policy p join pg_class c on c.oid = p.polrelid
      where p.polroles = array[${partnerRole(database.webRole)}::regrole::oid]
        and c.relname <> all(${["partners", ...Object.keys(POLICIES_OF_PEOPLE)]})`;
    expect(rules.length).toBeGreaterThan(20);
    expect(rules.filter(({ rule }) => !/partner_id = \(current_setting\([^)]*\)\)::uuid\) IS TRUE/.test(rule))).toEqual([]);
  });
});
