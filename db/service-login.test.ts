import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assertFitDatabase } from "#server/services/maintenance/assert-fit-database.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { type OpenDatabase, openDatabase, SESSION_SETTINGS, scopedTo } from "./client.ts";
import { migrate } from "./migrate.ts";
import { provideServiceLogin } from "./service-login.ts";

let database: TestDatabase;
let url: string;
let role: string;
let service: OpenDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  role = await migrate(database.url);
  url = (await provideServiceLogin(database.url)) ?? "";
  service = openDatabase({ url, applicationName: "service", maxConnections: 2, role });
});
afterAll(async () => {
  await service.close();
  await database.close();
});

describe("the service's own log-in", () => {
  it("is another one than the owner's, and the same from every start, also of two at once", async () => {
    expect(new URL(url).username).not.toBe(new URL(database.url).username);
    expect(new URL(url).password).not.toBe(new URL(database.url).password);
    expect(await Promise.all([provideServiceLogin(database.url), provideServiceLogin(database.url)])).toEqual([url, url]);
  });

  it("owns nothing, and becomes nobody who does", async () => {
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    try {
      const [owned] = await sql`select count(*)::int as count from pg_class where pg_has_role(session_user, relowner, 'member')
        and relnamespace in ('public'::regnamespace, 'drizzle'::regnamespace)`;
      expect(owned?.count).toBe(0);
      await sql`set role none`;
      const forbidden = [
        `set role "${new URL(database.url).username}"`,
        "update audit_seals set hash = 'x'",
        "delete from ledger_entries",
        "alter table audit_entries disable trigger all",
        "alter table settlements disable row level security",
        `drop policy "${role}" on settlements`,
        "create role intruder",
        "create table intruder (x int)",
      ];
      for (const statement of forbidden) await expect(sql.unsafe(statement), statement).rejects.toThrow(/permission denied|must be owner/);
    } finally {
      await sql.end();
    }
  });

  it("has the settings that every session needs, whoever opens it", async () => {
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    try {
      const settings = await Promise.all(Object.keys(SESSION_SETTINGS).map((name) => sql`select current_setting(${name}) as value`));
      expect(settings.map(([row]) => row?.value)).toEqual(Object.values(SESSION_SETTINGS));
    } finally {
      await sql.end();
    }
  });

  it("works as the application's role, and as a partner's, and is what live mode asks for", async () => {
    await assertFitDatabase({ db: service.db, mode: "live" });
    const us = scopedTo(service.db, { of: "partner", id: "00000000-0000-4000-8000-000000000000" });
    expect([...(await us.execute("select current_user as role"))]).toEqual([{ role: role.replace(/_app$/, "_partner") }]);
  });
});

it("live mode refuses a log-in that could become the owner, though it works as nobody who is", async () => {
  const owner = openDatabase({ url: database.url, applicationName: "owner", maxConnections: 1, role });
  try {
    await assertFitDatabase({ db: owner.db, mode: "sandbox" });
    await expect(assertFitDatabase({ db: owner.db, mode: "live" })).rejects.toThrow(
      /The service logged in as .* which may become the owner/,
    );
  } finally {
    await owner.close();
  }
});
