import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { processRole } from "#db/application-role.ts";
import { migrate } from "#db/migrate.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import { addSigningPartner, enqueueTestCallback, eventually } from "#testing/callbacks.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { openReceiver, type Receiver } from "#testing/stage/receiver.ts";
import { forgetWorkers, killWorkers, readyWorker } from "#testing/worker-process.ts";

let database: TestDatabase;
let endpoint: Receiver;
let admin: postgres.Sql;
/** This log-in may exceed its connection limit at any time. */
const role = `limited_${randomBytes(6).toString("hex")}`;
let url: string;
beforeAll(async () => {
  database = await createTestDatabase();
  await migrate(database.url);
  endpoint = await openReceiver();
  endpoint.answer = (_request, response) => response.end();
  admin = postgres(database.url, { max: 1, onnotice: () => {} });
  const password = randomBytes(12).toString("hex");
  await admin.unsafe(`create role ${role} login password '${password}'`);
  await admin.unsafe(`grant "${processRole(new URL(database.url).pathname.slice(1), "worker")}" to ${role}`);
  // So that it may end the other's connections.
  await admin.unsafe(`grant ${role} to current_user`);
  const limited = new URL(database.url);
  limited.username = role;
  limited.password = password;
  url = limited.href;
});
afterEach(killWorkers);
afterAll(async () => {
  forgetWorkers();
  await admin.end();
  await endpoint.close();
  // The role last: connections of a dropped role cannot be ended any more, and a killed worker's may still be open.
  await database.close();
  const server = postgres(inject("testServer").adminUrl, { max: 1 });
  await server.unsafe(`drop role ${role}`);
  await server.end();
});

const limitTo = (connections: number) => admin.unsafe(`alter role ${role} connection limit ${connections}`);
const endConnections = () => admin`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${role}`;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a worker whose database has no connections left", () => {
  it("lives through it, again and again, and does what was owed afterwards", async () => {
    const partner = await addSigningPartner(database.db);
    const worker = await readyWorker(url);
    let ended: number | string | null = null;
    void worker.exit.then((how) => {
      ended = how;
    });
    for (let pass = 0; pass < 12; pass += 1) {
      await limitTo(pass % 4);
      for (let blow = 0; blow < 10; blow += 1) {
        await endConnections();
        await pause(blow * 10);
      }
    }
    await limitTo(-1);
    const { id } = await enqueueTestCallback(database.db, partner, endpoint.origin);
    const delivered = async () => {
      expect(ended, worker.output()).toBeNull();
      const [row] = await database.db.select().from(callbacks).where(eq(callbacks.id, id));
      return row?.state === "delivered" ? true : null;
    };
    await eventually(delivered, 60_000);
    expect(worker.output()).not.toContain("an unhandled promise rejection");
  });
});
