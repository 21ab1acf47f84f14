import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eq, sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processRole } from "#db/application-role.ts";
import { type Database, type DatabaseOptions, type OpenDatabase, openDatabase, scopedTo } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { readSession } from "#db/queries/maintenance/database-state.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import { assertFitDatabase } from "#server/services/maintenance/assert-fit-database.ts";
import { addSigningPartner, enqueueTestCallback, eventually, TEST_VAULT_KEYS } from "#testing/callbacks.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { type Pooler, startPgbouncer } from "#testing/pgbouncer.ts";
import { openReceiver } from "#testing/stage/receiver.ts";

const LOGIN = `service_${randomBytes(6).toString("hex")}`;
const WORKER_LOGIN = `${LOGIN}_worker`;
const PASSWORD = randomBytes(12).toString("hex");
let database: TestDatabase;
let admin: postgres.Sql;
let directUrl: string;
let pooler: Pooler;
const opened: OpenDatabase[] = [];

/** As docs/runbooks/pgbouncer.md says. */
beforeAll(async () => {
  database = await createTestDatabase();
  await migrate(database.url);
  admin = postgres(database.url, { max: 1, onnotice: () => {} });
  directUrl = await addLogin(LOGIN, "web");
  pooler = await startPgbouncer(directUrl, { others: [await addLogin(WORKER_LOGIN, "worker")] });
});
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await pooler?.stop();
  await admin.unsafe(`drop role ${LOGIN}, ${WORKER_LOGIN}`);
  await admin.end();
  await database.close();
});

async function addLogin(login: string, kind: "web" | "worker"): Promise<string> {
  const role = processRole(new URL(database.url).pathname.slice(1), kind);
  await admin.unsafe(`create role ${login} login password '${PASSWORD}' in role ${role}`);
  await admin.unsafe(`alter role ${login} set statement_timeout = '5s'`);
  await admin.unsafe(`alter role ${login} set lock_timeout = '3s'`);
  await admin.unsafe(`alter role ${login} set idle_in_transaction_session_timeout = '10s'`);
  const url = new URL(database.url);
  url.username = login;
  url.password = PASSWORD;
  return url.href;
}

function open(options: Partial<DatabaseOptions> = {}): OpenDatabase {
  const one = openDatabase({ url: pooler.url, applicationName: "pooled", maxConnections: 20, pooled: true, directUrl, ...options });
  opened.push(one);
  return one;
}

describe("behind PgBouncer in transaction mode", () => {
  it("many more transactions than there are sessions go through at once, none of them as the owner or without limits", async () => {
    const { db, sql: driver } = open();
    await assertFitDatabase({ db, mode: "live" }, "web");
    const one = async (number: number) => {
      const [row] = await db.transaction(async (tx) => {
        await tx.execute(sql`select pg_sleep(0.001)`);
        return tx.execute<{ n: number; user: string }>(sql`select ${number}::int as n, current_user as user`);
      });
      // The driver's own way as well: that one would prepare statements in a session.
      const [tagged] = await driver<{ n: number }[]>`select ${number}::int as n`;
      return [row?.n, row?.user, tagged?.n];
    };
    const rounds = Array.from({ length: 300 }, (_, number) => number);
    expect(await Promise.all(rounds.map(one))).toEqual(rounds.map((number) => [number, LOGIN, number]));
    const { timeouts, compiles } = await readSession(db, "web");
    expect(compiles).toBe(false);
    expect(timeouts).toEqual({ statement_timeout: "5s", lock_timeout: "3s", idle_in_transaction_session_timeout: "10s" });
    await expect(driver`delete from ledger_entries`).rejects.toThrow(/permission denied/);
  });

  it("each partner's work is held to it, on whichever session it comes", async () => {
    const { db } = open({ role: processRole(new URL(database.url).pathname.slice(1), "web") });
    const ids = await Promise.all(Array.from({ length: 4 }, async () => (await addSigningPartner(database.db)).partnerId));
    const rounds = Array.from({ length: 80 }, (_, index) => ids[index % ids.length] ?? "");
    const seen = await Promise.all(
      rounds.map(async (id, index) => {
        const us = scopedTo(db, { of: "partner", id });
        const ask = (on: Database) => on.execute<{ id: string }>(sql`select id from partners where ${index}::int >= 0`);
        return (await (index % 2 ? ask(us) : us.transaction(ask))).map((row) => row.id);
      }),
    );
    expect(seen).toEqual(rounds.map((id) => [id]));
    const [everybody] = await db.execute(sql`select count(*)::int as count, current_user as user from partners`);
    expect(everybody).toEqual({ count: ids.length, user: LOGIN });
  });

  it("a log-in whose sessions compile statements is refused, and `migrate` turns that off for all that are opened later", async () => {
    const name = new URL(database.url).pathname.slice(1);
    const assertFit = async () => {
      const fresh = await startPgbouncer(directUrl);
      const { db, close } = openDatabase({ url: fresh.url, applicationName: "fresh", maxConnections: 1, pooled: true, directUrl });
      try {
        await assertFitDatabase({ db, mode: "live" }, "web");
      } finally {
        await close();
        await fresh.stop();
      }
    };
    await admin.unsafe(`alter database ${name} set jit = on`);
    await expect(assertFit()).rejects.toThrow(/has jit = on, .* `npm run migrate` or `alter role/);
    await migrate(database.url);
    await assertFit();
  });

  it("notifications are heard, on a connection past the pooler", async () => {
    const { db, listen } = open();
    const heard: string[] = [];
    await listen("through_the_pooler", (payload) => heard.push(payload));
    await db.transaction((tx) => tx.execute(sql`select pg_notify('through_the_pooler', 'work')`));
    await expect.poll(() => heard, { timeout: 30_000 }).toEqual(["work"]);
  });

  it("a log-in that owns the tables, or that has no limits of its own, is refused with what to do", async () => {
    const owners = await startPgbouncer(database.url);
    try {
      const { db } = open({ url: owners.url, directUrl: database.url });
      const refused = assertFitDatabase({ db, mode: "live" }, "web");
      await expect(refused).rejects.toThrow(/may rewrite the ledger and the audit log/);
      await expect(refused).rejects.toThrow(/has no statement_timeout\. Run `alter role/);
    } finally {
      await owners.stop();
    }
  });

  it("a worker delivers what is due, and is ended in good order", async () => {
    const partner = await addSigningPartner(database.db);
    const endpoint = await openReceiver();
    const folder = mkdtempSync(join(tmpdir(), "worker-"));
    const keyFile = join(folder, "treasury.key");
    writeFileSync(keyFile, `0x${randomBytes(32).toString("hex")}\n`);
    const chain = {
      chain: "eip155:31337",
      name: "Test chain",
      rpc_urls: ["http://127.0.0.1:9"],
      confirmations: 3,
      native: { currency: "ETH", decimals: 18 },
      tokens: [],
      wallets: [{ signer: "sandbox", key_file: keyFile }],
    };
    const env: NodeJS.ProcessEnv = {
      PATH: process.env.PATH,
      NODE_ENV: "test",
      WORKER_DATABASE_URL: pooler.others[0],
      DATABASE_POOLER: "transaction",
      DATABASE_DIRECT_URL: database.url,
      CHAINS: JSON.stringify([chain]),
      VAULT_KEYS: TEST_VAULT_KEYS,
      SIGNER_SOCKET: join(folder, "signer.sock"),
    };
    const child = spawn(process.execPath, [fileURLToPath(new URL("./main.ts", import.meta.url))], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += String(chunk);
      });
    const exit = new Promise((resolve) => child.once("exit", resolve));
    try {
      const { id } = await enqueueTestCallback(database.db, partner, endpoint.origin);
      const state = async () => (await database.db.select().from(callbacks).where(eq(callbacks.id, id)))[0]?.state;
      await eventually(async () => ((await state()) === "delivered" ? true : null), 60_000);
      child.kill("SIGTERM");
      expect(await exit, output).toBe(0);
      expect(output).not.toMatch(/notifications of due work are not heard|a duty failed.*prepared statement/);
    } finally {
      child.kill("SIGKILL");
      await endpoint.close();
      rmSync(folder, { recursive: true });
    }
  });
});
