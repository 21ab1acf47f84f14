/**
 * `npm run bench:callbacks`: how fast one worker delivers callbacks that are due, beside a bare loop of signed POSTs over kept connections to
 * the same receivers, by turns in one run. `--count 500`, `--rounds 3`: less of it. What the numbers mean is in `bench/README.md`.
 */

import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import http from "node:http";
import { parseArgs } from "node:util";
import { insertCallback } from "#db/queries/callbacks/callbacks.ts";
import { laneOf } from "#domain/callback.ts";
import { newId } from "#domain/ids.ts";
import { sign, webhookSignature } from "#domain/signing.ts";
import { callbackDuties } from "#server/engines/callbacks/duties.ts";
import { createCallbackEngine } from "#server/engines/callbacks/engine.ts";
import { startLoop } from "#server/worker/loop.ts";
import { addSigningPartner, localSender, type SigningPartner, silentLog, testVault } from "#testing/callbacks.ts";
import { type BenchDatabase, openBenchDatabase } from "./database.ts";

const BODY = JSON.stringify({
  tx_id: "tx_0123456789abcdefghjkmnpqrs",
  status: "executed",
  destination_amount: "7.65",
  note: "x".repeat(400),
});
const { values } = parseArgs({ options: { count: { type: "string", default: "2000" }, rounds: { type: "string", default: "5" } } });
const ROUNDS = Number(values.rounds);

type Rate = { perSecond: number; cpuMs: number };
type Load = { urls: readonly string[]; connections: number; count: number };

const database = await openBenchDatabase();
try {
  process.stdout.write(`${await measureCallbacks(Number(values.count))}\n`);
} finally {
  await database.close();
}

/** Medians and ranges. CPU is this process's, which is the deliverer's; receivers and database have their own. */
async function measureCallbacks(count: number): Promise<string> {
  const lines = [
    "Signed, sent, settled".padEnd(44) +
      "per second".padStart(20) +
      "CPU ms each".padStart(20) +
      "bare, per second".padStart(22) +
      "ratio".padStart(8),
  ];
  for (const receivers of [1, 20]) {
    const { urls, stop } = await openReceivers(receivers);
    try {
      lines.push(line(receivers, await byTurns(database, { urls, connections: receivers === 1 ? 1 : 16, count })));
    } finally {
      stop();
    }
  }
  return lines.join("\n");
}

async function byTurns({ db, sql }: BenchDatabase, load: Load): Promise<{ ours: Rate[]; bare: Rate[] }> {
  const partner = await addSigningPartner(db);
  const [ours, bare]: [Rate[], Rate[]] = [[], []];
  // The first round warms up and does not count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const reference = await timed(load.count, () => postBarely(partner, load));
    await owe({ db, sql }, partner, load);
    const delivered = await timed(load.count, () => deliver({ db, sql }));
    if (round === 0) continue;
    bare.push(reference);
    ours.push(delivered);
  }
  return { ours, bare };
}

async function timed(count: number, work: () => Promise<void>): Promise<Rate> {
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { perSecond: (count / (performance.now() - startedAt)) * 1_000, cpuMs: (user + system) / 1_000 / count };
}

async function owe({ db }: Pick<BenchDatabase, "db" | "sql">, partner: SigningPartner, { urls, count }: Load): Promise<void> {
  const now = new Date();
  const { partnerId, apiKeyId } = partner;
  await db.transaction(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      const url = urls[index % urls.length] ?? "";
      const kind = { subjectId: newId("settlement", now), event: "settlement.executed" } as const;
      await insertCallback(tx, {
        id: newId("callback", now),
        partnerId,
        apiKeyId,
        ...kind,
        url,
        lane: laneOf(partnerId, url),
        body: BODY,
        now,
      });
    }
  });
}

/** One worker as the real one runs it, until nothing is due and everything is written. */
async function deliver({ db, sql }: Pick<BenchDatabase, "db" | "sql">): Promise<void> {
  const ctx = { db, clock: { now: () => new Date() }, vault: testVault, callbacks: localSender, log: silentLog };
  const engine = createCallbackEngine(ctx, { brand: "Service" });
  const loop = startLoop({ duties: callbackDuties(engine), listen: async () => {}, log: silentLog });
  for (;;) {
    const [{ due } = { due: 0 }] = await sql<{ due: number }[]>`select count(*)::int as due from callbacks where due_at is not null`;
    if (due === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await loop.stop();
}

/** What no sender can be faster than: the same bodies, signed under both schemes, over so many kept connections. */
async function postBarely({ apiSecret, callbackSecret }: SigningPartner, { urls, connections, count }: Load): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  let sent = 0;
  const send = async () => {
    while (sent < count) {
      const url = new URL(urls[sent % urls.length] ?? "");
      sent += 1;
      const seconds = Math.floor(Date.now() / 1_000);
      const body = Buffer.from(BODY, "utf8");
      const id = randomUUID();
      const request = { timestamp: String(seconds), method: "POST", path: url.pathname, query: "", body };
      const signatures = {
        "webhook-signature": webhookSignature(callbackSecret, id, seconds, body),
        "x-signature": sign(apiSecret, request),
      };
      await postOnce(url, agent, { "webhook-id": id, ...signatures, "content-length": body.length }, body);
    }
  };
  await Promise.all(Array.from({ length: connections }, send));
  agent.destroy();
}

function postOnce(url: URL, agent: http.Agent, headers: http.OutgoingHttpHeaders, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: "POST", agent, headers }, (response) => {
      response.resume();
      response.on("end", resolve);
    });
    request.on("error", reject);
    request.end(body);
  });
}

async function openReceivers(count: number): Promise<{ urls: string[]; stop(): void }> {
  const child = fork(new URL("./receiver.ts", import.meta.url), [String(count)], { execArgv: [] });
  const urls = await new Promise<string[]>((resolve, reject) => {
    child.once("error", reject);
    child.once("message", (told) => resolve(Array.isArray(told) ? told.map(String) : []));
  });
  return { urls, stop: () => child.disconnect() };
}

function line(receivers: number, { ours, bare }: { ours: Rate[]; bare: Rate[] }): string {
  const rate = spread(ours.map(({ perSecond }) => perSecond));
  const reference = spread(bare.map(({ perSecond }) => perSecond));
  const cpu = spread(ours.map(({ cpuMs }) => cpuMs));
  const name = receivers === 1 ? "one receiver (reference: 1 connection)" : `${receivers} receivers (reference: 16 connections)`;
  const range = ({ median, low, high }: Spread, digits: number) =>
    `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
  return `  ${name.padEnd(42)}${range(rate, 0).padStart(20)}${range(cpu, 2).padStart(20)}${range(reference, 0).padStart(22)}${(rate.median / reference.median).toFixed(2).padStart(8)}`;
}

type Spread = { median: number; low: number; high: number };

function spread(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((left, right) => left - right);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, low: sorted[0] ?? Number.NaN, high: sorted.at(-1) ?? Number.NaN };
}
