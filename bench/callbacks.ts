import { randomUUID } from "node:crypto";
import http from "node:http";
import { insertCallbacks } from "#db/queries/callbacks/callbacks.ts";
import { queueOf } from "#domain/callback.ts";
import { newId } from "#domain/ids.ts";
import { sign, webhookSignature } from "#domain/signing.ts";
import { NO_TRACER } from "#domain/tracer.ts";
import { callbackDuties } from "#server/engines/callbacks/duties.ts";
import { createCallbackEngine } from "#server/engines/callbacks/engine.ts";
import { startLoop } from "#server/worker/loop.ts";
import { addSigningPartner, localSender, type SigningPartner, silentLog, testVault } from "#testing/callbacks.ts";
import { type BenchDatabase, type BenchServer, proveBooks } from "#testing/stage/database.ts";
import { untilNothingIsDue } from "./execution.ts";
import { spent } from "./processes.ts";
import { withReceivers } from "./programs/run.ts";
import { ratesTable } from "./report.ts";
import { inTurns, type Outcome, type Side } from "./rounds.ts";

const BODY = JSON.stringify({
  tx_id: "tx_0123456789abcdefghjkmnpqrs",
  status: "executed",
  destination_amount: "7.65",
  note: "x".repeat(400),
});
/** The number of connections of the bare loop, and the share of its rate to reach. */
const SETTINGS = { 1: { connections: 1, goal: 0.3 }, 20: { connections: 16, goal: 0.4 } } as const;
/** The subjects of these callbacks are made up. */
const ABOUT_NOTHING = ["callback_where_due"];
type Receivers = keyof typeof SETTINGS;
type Load = { urls: readonly string[]; connections: number; count: number };

/**
 * Delivery of due callbacks to this many receivers by one worker in this process, compared with a bare loop of POSTs to the same receivers,
 * signed under both schemes over kept connections.
 */
export async function measureCallbacks(server: BenchServer, numbers: readonly Receivers[], timings: { rounds: number; count: number }) {
  return await server.withDatabase(async (database) => {
    const outcomes: Outcome[] = [];
    for (const receivers of numbers) {
      const { connections, goal } = SETTINGS[receivers];
      const name = `callbacks, ${receivers} receiver${receivers === 1 ? "" : "s"}`;
      const measured = async (urls: readonly string[]) =>
        await inTurns(await sidesOf(database, name, { urls, connections, count: timings.count }, goal), timings.rounds);
      outcomes.push(...(await withReceivers(receivers, measured)));
    }
    return `${ratesTable(outcomes)}\n\n${await proveBooks(database, { without: ABOUT_NOTHING })}`;
  });
}

/** CPU is this process's, which is the deliverer's; receivers and database have their own. */
async function sidesOf(database: BenchDatabase, name: string, load: Load, goal: number): Promise<Side[]> {
  const partner = await addSigningPartner(database.db);
  const bare = `bare loop, ${load.connections} connection${load.connections === 1 ? "" : "s"}`;
  const tally = async (who: string, work: () => Promise<void>) => {
    const { seconds, cpuMs } = await spent(work);
    return { done: load.count, seconds, cpuMs: { [who]: cpuMs.bench ?? 0, PostgreSQL: cpuMs.PostgreSQL ?? 0 } };
  };
  const deliverAll = async () => {
    await enqueuePayment(database, partner, load);
    return await tally("worker", () => deliver(database));
  };
  return [
    { name, run: deliverAll, against: { name: bare, goal } },
    { name: bare, run: () => tally("loop", () => postBarely(partner, load)) },
  ];
}

async function enqueuePayment({ db }: BenchDatabase, partner: SigningPartner, { urls, count }: Load): Promise<void> {
  const now = new Date();
  const { partnerId, apiKeyId } = partner;
  await db.transaction(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      const url = urls[index % urls.length] ?? "";
      const kind = { subjectId: newId("settlement", now), event: "settlement.executed" } as const;
      const made = {
        id: newId("callback", now),
        partnerId,
        apiKeyId,
        ...kind,
        url,
        queue: queueOf(partnerId, url),
        body: BODY,
        trace: null,
      };
      await insertCallbacks(tx, [made], now);
    }
  });
}

/** One worker as the real one runs it, until nothing is due and everything is written. */
async function deliver(database: BenchDatabase): Promise<void> {
  const { db } = database;
  const ctx = { db, clock: { now: () => new Date() }, vault: testVault, callbacks: localSender, log: silentLog, tracer: NO_TRACER };
  const engine = createCallbackEngine(ctx, { brand: "Service" });
  const loop = startLoop({ duties: callbackDuties(engine), listen: async () => {}, log: silentLog });
  await untilNothingIsDue(database, "callbacks");
  await loop.stop();
}

/** The upper bound for any sender: the same bodies, signed under both schemes, over this many kept connections. */
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
