import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { assertFitDatabase } from "#server/services/maintenance/assert-fit-database.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { applicationRole, PROCESS_KINDS as KINDS, type ProcessKind, partnerRole, processRole, serviceLogin } from "./application-role.ts";
import { type OpenDatabase, openDatabase, SESSION_SETTINGS, scopedTo } from "./client.ts";
import { migrate } from "./migrate.ts";
import { provideServiceLogins, type ServiceLogins } from "./service-login.ts";

let database: TestDatabase;
let urls: ServiceLogins;
let service: Record<ProcessKind, OpenDatabase>;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrate(database.url);
  const provided = await provideServiceLogins(database.url);
  if (provided === null) throw new Error("the server lets the log-ins in");
  urls = provided;
  const open = (kind: ProcessKind) =>
    openDatabase({ url: urls[kind], applicationName: kind, maxConnections: 2, role: processRole(nameOf(database.url), kind) });
  service = { web: open("web"), worker: open("worker"), signer: open("signer") };
});
afterAll(async () => {
  await Promise.all(KINDS.map((kind) => service[kind].close()));
  await database.close();
});

const nameOf = (url: string) => new URL(url).pathname.slice(1);

describe.each(KINDS)("the log-in of the %s", (kind) => {
  const other = kind === "web" ? "worker" : "web";
  it("is another one than the owner's and the others', and the same from every start, also of two at once", async () => {
    const parts = [database.url, ...Object.values(urls)].map((one) => new URL(one));
    expect(new Set(parts.map(({ username }) => username)).size).toBe(4);
    expect(new Set(parts.map(({ password }) => password)).size).toBe(4);
    expect(await Promise.all([provideServiceLogins(database.url), provideServiceLogins(database.url)])).toEqual([urls, urls]);
  });

  it("owns nothing, and becomes nobody who does, nor the other process", async () => {
    const sql = postgres(urls[kind], { max: 1, onnotice: () => {} });
    try {
      const [owned] = await sql`select count(*)::int as count from pg_class where pg_has_role(session_user, relowner, 'member')
        and relnamespace in ('public'::regnamespace, 'drizzle'::regnamespace)`;
      expect(owned?.count).toBe(0);
      await sql`set role none`;
      const forbidden = [
        `set role "${new URL(database.url).username}"`,
        `set role "${processRole(nameOf(database.url), other)}"`,
        `set role "${applicationRole(nameOf(database.url))}"`,
        "update audit_seals set hash = 'x'",
        "delete from ledger_entries",
        "alter table audit_entries disable trigger all",
        "alter table settlements disable row level security",
        `drop policy "${processRole(nameOf(database.url), kind)}" on settlements`,
        "create role intruder",
        "create table intruder (x int)",
      ];
      for (const statement of forbidden) await expect(sql.unsafe(statement), statement).rejects.toThrow(/permission denied|must be owner/);
    } finally {
      await sql.end();
    }
  });

  it("has the settings that every session needs, no matter who opens it", async () => {
    const sql = postgres(urls[kind], { max: 1, onnotice: () => {} });
    try {
      const settings = await Promise.all(Object.keys(SESSION_SETTINGS).map((name) => sql`select current_setting(${name}) as value`));
      expect(settings.map(([row]) => row?.value)).toEqual(Object.values(SESSION_SETTINGS));
    } finally {
      await sql.end();
    }
  });

  it("works as its process, and is what live mode asks of it, and not of the other", async () => {
    await assertFitDatabase({ db: service[kind].db, mode: "live" }, kind);
    const onCitus = openDatabase({ url: urls[kind], applicationName: "on-citus", maxConnections: 1, layout: "citus" });
    try {
      await expect(assertFitDatabase({ db: onCitus.db, mode: "sandbox" }, kind)).rejects.toThrow(
        /in one piece, and DATABASE_LAYOUT says citus/,
      );
    } finally {
      await onCitus.close();
    }
    const stranger = openDatabase({ url: urls[kind], applicationName: "stranger", maxConnections: 1 });
    try {
      await expect(assertFitDatabase({ db: stranger.db, mode: "live" }, other)).rejects.toThrow(
        /which is no member of its role\. Run `grant <database>_/,
      );
    } finally {
      await stranger.close();
    }
  });
});

it("the web's log-in works for one partner, and the others' for none", async () => {
  const us = (kind: ProcessKind) => scopedTo(service[kind].db, { of: "partner", id: "00000000-0000-4000-8000-000000000000" });
  const whoami = "select current_user as role";
  expect([...(await us("web").execute(whoami))]).toEqual([{ role: partnerRole(processRole(nameOf(database.url), "web")) }]);
  for (const kind of ["worker", "signer"] as const) await expect(us(kind).execute(whoami)).rejects.toThrow();
});

describe("live mode refuses", () => {
  async function refusalOf(url: string, kind: ProcessKind): Promise<string> {
    const login = openDatabase({ url, applicationName: "refused", maxConnections: 1, role: processRole(nameOf(url), kind) });
    try {
      await assertFitDatabase({ db: login.db, mode: "sandbox" }, kind);
      return await assertFitDatabase({ db: login.db, mode: "live" }, kind).then(
        () => "",
        (error: Error) => error.message,
      );
    } finally {
      await login.close();
    }
  }

  it("a log-in that could become the owner, though it works as nobody who is", async () => {
    expect(await refusalOf(database.url, "web")).toMatch(/The service logged in as .* which may become the owner/);
  });

  it.each(KINDS)("a log-in of the %s that may also work as the other process, or as the release before", async (kind) => {
    const name = nameOf(database.url);
    for (const more of [processRole(name, kind === "web" ? "worker" : "web"), applicationRole(name)]) {
      const login = serviceLogin(name, kind);
      await owner(`grant "${more}" to "${login}"`);
      try {
        expect(await refusalOf(urls[kind], kind)).toContain(
          `The ${kind} logged in as ${login}, which may also work as ${more}. Give web, worker and signer separate log-ins`,
        );
      } finally {
        await owner(`revoke "${more}" from "${login}"`);
      }
    }
  });

  const FUNCTIONS = { web: "owe_pack(text, jsonb, jsonb)", worker: "owe_treasury_withdrawal(text, text)" };
  it.each(["web", "worker"] as const)("a log-in of the %s that has more rights than its process's role", async (kind) => {
    const login = serviceLogin(nameOf(database.url), kind);
    const more = ["truncate on pair_terms", "update (hash) on audit_seals", `execute on function ${FUNCTIONS[kind]}`];
    for (const right of more) {
      await owner(`grant ${right} to "${login}"`);
      try {
        expect(await refusalOf(urls[kind], kind)).toContain(
          `The ${kind} logged in as ${login}, which has more rights than its role: ${/pair_terms|audit_seals|owe_[a-z_]+/.exec(right)}.`,
        );
      } finally {
        await owner(`revoke ${right} from "${login}"`);
      }
    }
    const { superuserUrl } = inject("testServer");
    // Only a superuser gives that away: of the tests' own server there is one.
    for (const url of superuserUrl === null ? [] : [superuserUrl]) {
      await owner(`grant pg_write_all_data to "${login}"`, url);
      expect(await refusalOf(urls[kind], kind)).toContain("which has more rights than its role: pg_write_all_data.");
      await owner(`revoke pg_write_all_data from "${login}"`, url);
    }
    expect(await refusalOf(urls[kind], kind)).toBe("");
  });

  it.each([
    ["one table", "grant insert on transfers to", "revoke insert on transfers from"],
    ["one column", "grant update (state) on wallets to", "revoke update (state) on wallets from"],
    [
      "by a function",
      "grant execute on function owe_settlement(text, text, uuid) to",
      "revoke execute on function owe_settlement(text, text, uuid) from",
    ],
  ])("a signer's log-in that can write: %s", async (_, grant, revoke) => {
    const login = serviceLogin(nameOf(database.url), "signer");
    await owner(`${grant} "${login}"`);
    try {
      expect(await refusalOf(urls.signer, "signer")).toMatch(
        /The signer logged in as .*, which can write: (transfers|wallets|owe_settlement)\. The signer only reads/,
      );
    } finally {
      await owner(`${revoke} "${login}"`);
    }
  });
});

async function owner(statement: string, url = database.url): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}
