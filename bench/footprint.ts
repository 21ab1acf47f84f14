import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { privateKeyToAddress } from "viem/accounts";
import { connectSigners } from "#server/adapters/signer-socket/connect.ts";
import type { BenchDatabase, BenchServer } from "#testing/stage/database.ts";
import { untilNothingIsDue } from "./execution.ts";
import { memoryOf, spent } from "./processes.ts";
import { startProgram, withReceivers } from "./programs/run.ts";
import { table } from "./report.ts";
import { inTurns, type Side } from "./rounds.ts";
import { jobOf, send } from "./signed.ts";
import { onOwnStage, type Stage } from "./stage.ts";

const MEMORY_GOAL_MB = 150;
const BYTES_GOAL_KB = 8;
const IDLE_MS = 3_000;
const LOADS = 5;
/** Few, so that a busy machine does not answer that it is too busy. */
const CONNECTIONS = 4;

/**
 * How long each process takes until it answers or says that it is ready, and what that costs, in turns with bare Fastify. The signer: until its
 * first signed answer over the socket, on a database that has a journal.
 */
export async function measureStart(server: BenchServer, { rounds }: { rounds: number }): Promise<string> {
  return await onOwnStage(server, async (stage, database) => {
    const side = (name: string, start: () => Promise<{ stop(): unknown }>): Side => ({
      name,
      run: async () => {
        const { value, seconds, cpuMs } = await spent(start);
        await value.stop();
        return { done: 1, seconds, cpuMs };
      },
      against: { name: "Fastify" },
    });
    const signature = await firstSignature(stage, database);
    const setup = { databaseUrl: database.url, secret: "-", connections: 1, target: "/" };
    const sides = [
      side("web", stage.startWeb),
      side("worker", () => stage.startWorker(1)),
      side("signer", signature),
      side("Fastify", () => startProgram("fastify", setup)),
    ];
    const rows = (await inTurns(sides, rounds)).map(({ name, perSecond, cpuMs, against }) => [
      name,
      (1_000 / perSecond.median).toFixed(0),
      `${(1_000 / perSecond.high).toFixed(0)}–${(1_000 / perSecond.low).toFixed(0)}`,
      (cpuMs[name] ?? cpuMs.reference ?? 0).toFixed(0),
      against ? `${(1 / against.ratio.median).toFixed(1)}×` : "",
    ]);
    return table(["Process", "ms until ready", "range", "CPU ms", "of Fastify's"], rows);
  });
}

/** Starts another signer on the same journal, and asks it to sign what nobody will send. */
async function firstSignature(stage: Stage, { owner }: BenchDatabase): Promise<() => Promise<{ stop(): unknown }>> {
  const wallet = privateKeyToAddress(await stage.fundedKey("treasury-0"));
  const worker = await stage.startWorker(1);
  while ((await owner`select from signing_journal where begun_at is not null`).length === 0) await sleep(100);
  await worker.stop();
  const socket = join(mkdtempSync(join(tmpdir(), "bench-signer-")), "socket", "signer.sock");
  const { chain } = stage.chain;
  const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
  const orders = [{ of: { filler: "filler:bench:0" }, kind: "payment" as const, nonce: 0, gasLimit: 21_000n, fees }];
  return async () => {
    const running = await stage.signerPart(1, { SIGNER_SOCKET: socket }).start(new AbortController().signal);
    const [answer] = await connectSigners(socket, [chain]).sign({ chain, wallet, orders });
    if (answer?.outcome !== "signed") throw new Error(`the signer did not sign: ${answer?.reason}`);
    return running;
  };
}

/**
 * The memory of a web process, a worker and Fastify while idle, after this many seconds of pairs, and after each of as many more: growth
 * with the first load only is not a leak. And its peak.
 */
export async function measureMemory(server: BenchServer, { seconds }: { seconds: number }): Promise<string> {
  return await onOwnStage(server, async (stage, database) => {
    const { baseUrl } = await stage.startWeb();
    await stage.startWorker(1);
    const target = "/api/v1/settlements";
    const bare = await startProgram("fastify", {
      databaseUrl: database.url,
      secret: stage.credentials.api_secret,
      connections: 20,
      target,
    });
    await sleep(IDLE_MS);
    const held = [KINDS.map((kind) => memoryOf(kind)[0])];
    for (let load = 0; load < LOADS; load += 1) {
      await runLife(stage, database, { baseUrl, seconds });
      await send(jobOf(stage, { kind: "pair", baseUrls: [String(bare.answer)], seconds, confirms: false }));
      for (const path of Array.from({ length: 20 }, () => ["/docs", "/console/sign-in"]).flat()) await (await fetch(baseUrl + path)).text();
      held.push(KINDS.map((kind) => memoryOf(kind)[0]));
    }
    bare.stop();
    const mb = (value: number | undefined) => (value ?? Number.NaN).toFixed(0);
    const rows = KINDS.map((kind, index) => [
      kind === "reference" ? "Fastify" : kind,
      ...held.map((each) => mb(each[index]?.now)),
      mb(held.at(-1)?.[index]?.peak),
      kind === "reference" ? "" : `≤ ${MEMORY_GOAL_MB}`,
    ]);
    const loads = Array.from({ length: LOADS }, (_, index) => (index === 0 ? "after one load" : `after ${index + 1}`));
    return table(["Process, MB resident", "idle", ...loads, "most ever", "goal"], rows);
  });
}

const KINDS = ["web", "worker", "reference"] as const;

/** What one settlement leaves behind, from its creation over HTTP to the callback that was delivered. The first batch does not count. */
export async function measureBytes(server: BenchServer, { seconds }: { seconds: number }): Promise<string> {
  return await onOwnStage(server, async (stage, database) => {
    const { baseUrl } = await stage.startWeb();
    await stage.startWorker(1);
    await runLife(stage, database, { baseUrl, seconds });
    const before = await sizesOf(database);
    const done = await runLife(stage, database, { baseUrl, seconds });
    const after = await sizesOf(database);
    const kb = (bytes: number) => (bytes / 1_024 / done).toFixed(2);
    const grown = after.tables
      .map(({ name, heap, indexes }) => {
        const old = before.tables.find((each) => each.name === name);
        return { name, heap: heap - (old?.heap ?? 0), indexes: indexes - (old?.indexes ?? 0) };
      })
      .filter(({ heap, indexes }) => heap + indexes > 0)
      .toSorted((left, right) => right.heap + right.indexes - left.heap - left.indexes);
    const rows = grown.map(({ name, heap, indexes }) => [name, kb(heap), kb(indexes), kb(heap + indexes), ""]);
    const sum = (of: (each: { heap: number; indexes: number }) => number) => kb(grown.reduce((total, each) => total + of(each), 0));
    const all = sum(({ heap, indexes }) => heap + indexes);
    rows.unshift(["total", sum(({ heap }) => heap), sum(({ indexes }) => indexes), all, `≤ ${BYTES_GOAL_KB}`]);
    rows.push(["write-ahead log, which is not kept", "", "", kb(after.walBytes - before.walBytes), ""]);
    const largest = after.indexes
      .map(({ name, bytes }) => ({ name, bytes: bytes - (before.indexes.find((each) => each.name === name)?.bytes ?? 0) }))
      .filter(({ bytes }) => bytes > 0)
      .toSorted((left, right) => right.bytes - left.bytes);
    return [
      `Of ${done} settlements.`,
      table(["KB for one settlement", "rows", "indexes", "together", "goal"], rows),
      table(
        ["KB for one settlement", "index"],
        largest.map(({ name, bytes }) => [name, kb(bytes)]),
      ),
    ].join("\n\n");
  });
}

/** Pairs over HTTP for this long, until all are paid and called back; returns how many. */
function runLife(stage: Stage, database: BenchDatabase, { baseUrl, seconds }: { baseUrl: string; seconds: number }): Promise<number> {
  return withReceivers(1, async ([callbackUrl]) => {
    const { done } = await send(jobOf(stage, { kind: "pair", baseUrls: [baseUrl], seconds, callbackUrl, connections: CONNECTIONS }));
    await untilNothingIsDue(database, "transfers");
    await untilNothingIsDue(database, "callbacks");
    return done;
  });
}

/** For every table, with its partitions. */
async function sizesOf({ owner }: BenchDatabase) {
  await owner`vacuum`;
  const tables = await owner<{ name: string; heap: number; indexes: number }[]>`
    select coalesce(pg_partition_root(oid), oid)::regclass::text as name,
      sum(pg_table_size(oid))::float8 as heap, sum(pg_indexes_size(oid))::float8 as indexes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace group by 1`;
  const indexes = await owner<{ name: string; bytes: number }[]>`
    select coalesce(pg_partition_root(oid), oid)::regclass::text as name, sum(pg_relation_size(oid))::float8 as bytes
    from pg_class where relkind = 'i' and relnamespace = 'public'::regnamespace group by 1`;
  const [wal] = await owner<{ bytes: number }[]>`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`;
  return { tables, indexes, walBytes: wal?.bytes ?? Number.NaN };
}
