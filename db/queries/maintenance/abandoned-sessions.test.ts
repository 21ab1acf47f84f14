import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, type OpenDatabase, openDatabase } from "#db/client.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { endAbandonedSessions } from "./abandoned-sessions.ts";

/** PostgreSQL's `Flush`: the driver waits for the description of a statement before it sends the values. */
const FLUSH = Buffer.from([0x48, 0, 0, 0, 4]);

let database: TestDatabase;
let other: OpenDatabase;
let server: Server;
let frozen: OpenDatabase;
let isArmed = false;

beforeAll(async () => {
  database = await createTestDatabase();
  const role = database.role;
  other = openDatabase({ url: database.url, applicationName: "other", maxConnections: 2, role });
  const { hostname, port } = new URL(database.url);
  // To PostgreSQL, a program that stops between the two messages is one whose bytes stop coming.
  server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isFrozen = false;
    client.on("data", (chunk) => {
      if (!isFrozen) upstream.write(chunk);
      if (isArmed && chunk.subarray(-FLUSH.length).equals(FLUSH)) isFrozen = true;
    });
    upstream.on("data", (chunk) => void client.write(chunk));
    for (const [one, end] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on("error", () => {});
      one.on("close", () => end.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const url = Object.assign(new URL(database.url), { hostname: "127.0.0.1", port: String(address.port) });
  frozen = openDatabase({ url: url.href, applicationName: "frozen", maxConnections: 1, role });
});
afterAll(async () => {
  await frozen.close(0);
  await other.close();
  server.close();
  await database.close();
});

const lock = (db: Database) => db.execute(sql`select pg_advisory_xact_lock(7355640)`);

it("a session whose program froze in the middle of a statement keeps its locks until it is ended, and no other session is ended", async () => {
  const abandoned = frozen.db.transaction(async (tx) => {
    await lock(tx);
    isArmed = true;
    await tx.execute(sql`select ${1}::int as described`);
  });
  abandoned.catch(() => {});
  await expect
    .poll(
      () =>
        lock(other.db).then(
          () => "free",
          () => "locked",
        ),
      { timeout: 10_000 },
    )
    .toBe("locked");
  // A statement that runs and one that is idle in its transaction are not abandoned.
  const running = other.db.execute(sql`select pg_sleep(1.5)`);
  expect(await endAbandonedSessions(other.db, 60)).toBe(0);
  expect(await endAbandonedSessions(other.db, 1)).toBe(1);
  await lock(other.db);
  await running;
  await expect(abandoned).rejects.toThrow();
});
