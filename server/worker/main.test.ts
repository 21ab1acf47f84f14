import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "#db/migrate.ts";
import { callbackAttempts } from "#db/schema/callback-attempts.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import { processes } from "#db/schema/processes.ts";
import { addSigningPartner, eventually, oweCallback, type SigningPartner, TEST_VAULT_KEYS } from "#server/testing/callbacks.ts";
import { createTestDatabase, type TestDatabase } from "#server/testing/database.ts";
import { AT_ONCE_MS } from "#server/testing/patience.ts";
import { openReceiver, type Receiver } from "#server/testing/receiver.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "worker-"));
let database: TestDatabase;
let partner: SigningPartner;
let endpoint: Receiver;
const started: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  await migrate(database.url);
  partner = await addSigningPartner(database.db);
  endpoint = await openReceiver();
  writeFileSync(join(folder, "treasury.key"), `0x${randomBytes(32).toString("hex")}\n`);
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});
afterAll(async () => {
  await endpoint.close();
  await database.close();
  rmSync(folder, { recursive: true });
});

/** A chain whose node is dead: that must not disturb the callbacks. */
const CHAIN = {
  chain: "eip155:31337",
  name: "Test chain",
  rpc_urls: ["http://127.0.0.1:9"],
  confirmations: 3,
  native: { currency: "ETH", decimals: 18 },
  tokens: [],
  wallets: [{ signer: "sandbox", key_file: join(folder, "treasury.key") }],
};

type Worker = { child: ChildProcess; exit: Promise<number | string>; output: () => string };

function startWorker(env: Record<string, string> = {}): Worker {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "test",
      MODE: "sandbox",
      DATABASE_URL: database.url,
      CHAINS: JSON.stringify([CHAIN]),
      VAULT_KEYS: TEST_VAULT_KEYS,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  started.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      output += String(chunk);
    });
  }
  const exit = new Promise<number | string>((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal ?? "")));
  return { child, exit, output: () => output };
}

async function readyWorker(): Promise<Worker> {
  const worker = startWorker();
  await new Promise<void>((resolve, reject) => {
    worker.child.once("message", (message) => (message === "ready" ? resolve() : reject(new Error(String(message)))));
    void worker.exit.then((code) => reject(new Error(`exit ${code}: ${worker.output()}`)));
  });
  return worker;
}

const stateOf = async (id: string) => (await database.db.select().from(callbacks).where(eq(callbacks.id, id)))[0]?.state;
const heartbeats = () => database.db.select().from(processes).where(eq(processes.kind, "worker"));

describe("the worker process", () => {
  it("does due work, says that it is alive, and on SIGTERM gives back what it holds and exits with 0", async () => {
    const worker = await readyWorker();
    const { id } = await oweCallback(database.db, partner, endpoint.origin);
    await eventually(async () => ((await stateOf(id)) === "delivered" ? true : null));
    const [beat] = await eventually(async () => ((await heartbeats()).length === 1 ? await heartbeats() : null));
    expect(Date.now() - Number(beat?.beatAt)).toBeLessThan(AT_ONCE_MS);
    expect(JSON.stringify(beat?.metrics)).toContain("settlement_callback_attempts_total");

    endpoint.answer = () => {};
    const hanging = await oweCallback(database.db, partner, endpoint.origin);
    await endpoint.received(2);
    const told = Date.now();
    worker.child.kill("SIGTERM");
    expect(await worker.exit).toBe(0);
    expect(Date.now() - told).toBeLessThan(AT_ONCE_MS);
    expect(await heartbeats()).toEqual([]);
    const [row] = await database.db.select().from(callbacks).where(eq(callbacks.id, hanging.id));
    expect(row).toMatchObject({ state: "pending", nextNumber: 1, leaseToken: null });
    for (const secret of [partner.apiSecret, partner.callbackSecret]) expect(worker.output()).not.toContain(secret);
    for (const line of worker.output().trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
  });

  it("killed in the middle of an attempt costs seconds: another worker repeats it under its number", async () => {
    endpoint.answer = () => {};
    const before = endpoint.requests.length;
    const { id } = await oweCallback(database.db, partner, endpoint.origin);
    const first = await readyWorker();
    await eventually(async () => (endpoint.requests.slice(before).some((request) => request.headers["webhook-id"] === id) ? true : null));
    first.child.kill("SIGKILL");
    endpoint.answer = (_request, response) => response.end();
    await readyWorker();
    await eventually(async () => ((await stateOf(id)) === "delivered" ? true : null));
    const attempts = await database.db.select().from(callbackAttempts).where(eq(callbackAttempts.callbackId, id));
    expect(attempts.map(({ series, number }) => [series, number])).toEqual([[1, 1]]);
  });

  it("ends in good order when the process that started it is gone", async () => {
    const worker = await readyWorker();
    worker.child.disconnect();
    expect(await worker.exit).toBe(0);
  });

  it("says in one text what is wrong with its settings, and exits with 1", async () => {
    const worker = startWorker({ VAULT_KEYS: "nonsense" });
    expect(await worker.exit).toBe(1);
    expect(worker.output()).toMatch(/VAULT_KEYS/);
    expect(worker.output()).not.toMatch(/ at .*\.ts/);
  });
});
