import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { type Database, openDatabase, scopedTo } from "./client.ts";
import { inTransaction, sendAhead, sendWithCommit } from "./transaction.ts";

let database: TestDatabase;
let admin: postgres.Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  admin = postgres(database.url, { max: 1 });
});
afterAll(async () => {
  await admin.end();
  await database.close();
});

describe("a connection that the server ends", () => {
  // The published driver throws from a timer here, which ends the process (see scripts/patch-postgres.mjs).
  it("in the middle of a transaction fails that transaction and nothing else, again and again", async () => {
    const pool = openDatabase({ url: database.url, applicationName: "dying", maxConnections: 2 });
    for (let round = 0; round < 20; round += 1) {
      const dying = pool.db.transaction(async (tx) => {
        const [own] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        await admin`select pg_terminate_backend(${own?.pid ?? 0})`;
        // Once before the driver has noticed, once after.
        if (round % 2 === 1) await new Promise((resolve) => setTimeout(resolve, 20));
        await tx.execute(sql`select 1`);
      });
      await expect(dying).rejects.toThrow();
      // A lost place in the pool would answer one of these with CONNECT_TIMEOUT.
      await Promise.all(Array.from({ length: 4 }, () => pool.db.execute(sql`select 1`)));
    }
    await pool.close();
  });

  it("between two statements costs the next one nothing worse than an error, and the pool recovers", async () => {
    const pool = openDatabase({ url: database.url, applicationName: "restarted", maxConnections: 4 });
    for (let round = 0; round < 10; round += 1) {
      await Promise.allSettled(Array.from({ length: 8 }, () => pool.db.execute(sql`select pg_sleep(0.005)`)));
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'restarted'`;
      await Promise.allSettled(Array.from({ length: 8 }, () => pool.db.execute(sql`select 1`)));
    }
    // A disconnect that the driver has not noticed yet may cost one more query; a lost connection slot would never come back.
    await vi.waitFor(() => Promise.all(Array.from({ length: 16 }, () => pool.db.execute(sql`select 1`))), { timeout: 60_000 });
    await pool.close();
  });

  // The published driver drops this promise: nobody can handle its rejection, and the process ends (see scripts/patch-postgres.mjs).
  it("while the driver still learns the server's types fails the query, and ends no process", async () => {
    const proxy = await startCuttingProxy(database.url, "typarray");
    const lost: unknown[] = [];
    const note = (error: unknown) => void lost.push(error);
    process.on("unhandledRejection", note);
    const pool = openDatabase({ url: proxy.url, applicationName: "learning", maxConnections: 2 });
    await expect(pool.db.execute(sql`select 1`)).rejects.toThrow();
    proxy.cuts = false;
    await vi.waitFor(() => pool.db.execute(sql`select 1`), { timeout: 60_000 });
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect(lost).toEqual([]);
    await pool.close();
    await proxy.close();
  });
});

describe("a statement for one partner, sent with the transaction around it", () => {
  const partner = { of: "partner", id: "00000000-0000-4000-8000-000000000001" } as const;
  const read = (db: Database, id: string) => scopedTo(db, partner).execute(sql`select id from settlements where id = ${id}`);

  // The published driver keeps a refused request for a reserved connection in its queue and gives it the next connection, which nobody ever
  // returns.
  it("costs the pool no place where it was refused a connection", async () => {
    const proxy = await startCuttingProxy(database.url, "refused-here");
    const pool = openDatabase({ url: proxy.url, applicationName: "refused-here", maxConnections: 2, role: database.role });
    for (let round = 0; round < 6; round += 1) await expect(read(pool.db, "one")).rejects.toThrow();
    proxy.cuts = false;
    await vi.waitFor(() => pool.db.execute(sql`select 1`), { timeout: 60_000 });
    await Promise.all(Array.from({ length: 12 }, () => read(pool.db, "one")));
    await pool.close();
    await proxy.close();
  });

  // The published driver takes a request for a reserved connection out of the queue to open one, and then gives that to the next request.
  it("gets the next connection where the one that it waited for ended", async () => {
    const pool = openDatabase({ url: database.url, applicationName: "held", maxConnections: 1, role: database.role });
    const holding = expect(pool.db.execute(sql`select pg_sleep(30)`)).rejects.toThrow();
    const held = () => admin`select pid from pg_stat_activity where application_name = 'held' and state = 'active'`;
    await vi.waitFor(async () => expect(await held()).toHaveLength(1), { timeout: 60_000 });
    // A statement is sent when it is waited for.
    const waiting = Promise.resolve(read(pool.db, "one"));
    await new Promise((resolve) => setImmediate(resolve));
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'held'`;
    await holding;
    await waiting;
    await pool.close();
  });

  it("fails where the connection ends before the rest of it was sent", async () => {
    const pool = openDatabase({ url: database.url, applicationName: "one trip", maxConnections: 2, role: database.role });
    await pool.db.execute(sql`select 1`);
    await admin.begin(async (tx) => {
      await tx`lock table settlements in access exclusive mode`;
      const waiting = expect(read(pool.db, "one")).rejects.toThrow();
      await vi.waitFor(async () => {
        const ended =
          await tx`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'one trip' and wait_event_type = 'Lock'`;
        expect(ended).toHaveLength(1);
      });
      await waiting;
    });
    await read(pool.db, "one");
    await pool.close();
  });
});

describe("a write that is sent with the commit of its transaction", () => {
  const write = (to: Database, n: string) => to.execute(sql`insert into written values (${n}::int)`);
  const kept = async () => (await admin<{ n: number }[]>`select n from written order by n`).map(({ n }) => n);
  beforeAll(async () => {
    await admin`create table written (n int primary key)`;
    await admin`grant all on written to public`;
  });

  it("is kept with it, with all that was written before", async () => {
    await database.db.transaction(async (tx) => {
      await write(tx, "1");
      await sendWithCommit(tx, write(tx, "2"));
    });
    expect(await kept()).toEqual([1, 2]);
  });

  it("fails the transaction where it fails, and nothing is kept", async () => {
    const failing = database.db.transaction(async (tx) => {
      await write(tx, "3");
      await sendWithCommit(tx, write(tx, "1"));
      return "done";
    });
    await expect(failing).rejects.toMatchObject({ cause: { code: "23505" } });
    expect(await kept()).toEqual([1, 2]);
  });

  it("is undone where the work ends badly after it", async () => {
    const failing = database.db.transaction(async (tx) => {
      await sendWithCommit(tx, write(tx, "4"));
      throw new Error("too late");
    });
    await expect(failing).rejects.toThrow("too late");
    expect(await kept()).toEqual([1, 2]);
  });

  it("may be sent ahead: what follows does not wait, and the transaction fails by it and not by what comes behind it", async () => {
    const failing = database.db.transaction(async (tx) => {
      await sendAhead(tx, write(tx, "6"));
      await sendAhead(tx, write(tx, "1"));
      await write(tx, "7");
    });
    await expect(failing).rejects.toMatchObject({ cause: { code: "23505" } });
    const last = database.db.transaction((tx) => inTransaction(tx, (same) => sendAhead(same, write(same, "1"))));
    await expect(last).rejects.toMatchObject({ cause: { code: "23505" } });
    expect(await kept()).toEqual([1, 2]);
  });

  it("is waited for in a savepoint, whose failure the transaction survives", async () => {
    await database.db.transaction(async (tx) => {
      const inner = tx.transaction((savepoint) => sendWithCommit(savepoint, write(savepoint, "1")));
      await expect(inner).rejects.toMatchObject({ cause: { code: "23505" } });
      await write(tx, "5");
    });
    expect(await kept()).toEqual([1, 2, 5]);
  });
});

/** A proxy before the server, which cuts off each connection whose client sends the text. */
async function startCuttingProxy(target: string, text: string) {
  const { hostname, port } = new URL(target);
  const proxy = { url: "", cuts: true, close: async () => void server.close() };
  const server = createServer((client) => {
    const behind = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, behind],
      [behind, client],
    ] as const) {
      from.on("error", () => {});
      from.on("close", () => to.destroy());
      from.on("data", (bytes: Buffer) => (proxy.cuts && bytes.includes(text) ? client.resetAndDestroy() : to.write(bytes)));
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  proxy.url = url.href;
  return proxy;
}
