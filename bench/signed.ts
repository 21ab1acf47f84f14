import type { BenchDatabase, BenchServer } from "./database.ts";
import { spent } from "./processes.ts";
import { type Job, Sent } from "./programs/job.ts";
import { runProgram, startProgram } from "./programs/run.ts";
import { ratesTable } from "./report.ts";
import { inTurns, type Outcome, type Side } from "./rounds.ts";
import { onOwnStage, type Stage } from "./stage.ts";

const TARGET = "/api/v1/settlements";
const CONNECTIONS = 16;
const NOBODY = "http://127.0.0.1:9/callbacks";
export const KINDS = ["create", "get", "pair"] as const;
type Kind = (typeof KINDS)[number];
/** What is to be reached, of the same work done by the reference. */
const GOALS: Readonly<Record<Kind, number>> = { create: 0.65, get: 0.65, pair: 0.5 };
/** Whom merchants are paid to. */
export const RECIPIENT = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** What a generator needs to know, whatever it sends and to whom. */
export function jobOf({ credentials, chain }: Stage, more: Pick<Job, "kind" | "baseUrls" | "seconds"> & Partial<Job>): Job {
  const createBody = JSON.stringify({
    ...{ source_amount: 100_000, source_currency: "KES", destination_currency: "USDT", external_merchant_id: "merchant-7" },
    ...{ chain: chain.chain, wallet_address: RECIPIENT },
  });
  const common = { credentials, connections: CONNECTIONS, createTarget: TARGET, createBody, callbackUrl: NOBODY };
  return { ...common, confirms: true, getTarget: TARGET, ...more };
}

/** Sends it to the end. The generator's CPU is told apart. */
export async function send(job: Job) {
  const { value, cpuMs } = await spent(async () => Sent.parse(await runProgram("generator", job)));
  const { bench: _, ...others } = cpuMs;
  return { ...value, cpuMs: { ...others, generator: value.cpuMs } };
}

type Pace = { rounds: number; seconds: number };

/** Signed requests to one web process and to two, beside Fastify that does no more than has to be done. */
export async function measureSigned(server: BenchServer, kinds: readonly Kind[], pace: Pace): Promise<string> {
  return await onOwnStage(server, async (stage, database) => {
    const [one, two] = [await stage.startWeb(), await stage.startWeb()];
    const setup = { databaseUrl: database.url, secret: stage.credentials.api_secret, connections: 20, target: TARGET };
    const getTarget = await firstSettlement(database, stage, one.baseUrl);
    const reference = await startProgram("fastify", { ...setup, sameRows: false });
    const byHand = await startProgram("fastify", { ...setup, sameRows: true });
    try {
      const outcomes: Outcome[] = [];
      for (const kind of kinds) {
        const run = (baseUrls: string[], confirms: boolean) => (measured: boolean) =>
          send(jobOf(stage, { kind, baseUrls, confirms, getTarget, seconds: measured ? pace.seconds : pace.seconds / 2 }));
        const bare = `Fastify, ${kind}`;
        const sides: Side[] = [
          { name: kind, run: run([one.baseUrl], true), against: { name: bare, goal: GOALS[kind] } },
          { name: `${kind}, 2 web processes`, run: run([one.baseUrl, two.baseUrl], true), against: { name: bare } },
          { name: bare, run: run([String(reference.answer)], false) },
        ];
        sides.push({ name: `Fastify, ${kind}, the same rows`, run: run([String(byHand.answer)], true), against: { name: bare } });
        outcomes.push(...(await inTurns(sides, pace.rounds)));
      }
      return ratesTable(outcomes);
    } finally {
      reference.stop();
      byHand.stop();
    }
  });
}

/**
 * Makes some, and one for all to read. A plan that was made for an empty table is kept until the table is analyzed, which the server does by
 * itself within its first minute.
 */
async function firstSettlement({ sql, owner }: BenchDatabase, stage: Stage, baseUrl: string): Promise<string> {
  await send(jobOf(stage, { kind: "pair", baseUrls: [baseUrl], seconds: 1 }));
  await send(jobOf(stage, { kind: "create", baseUrls: [baseUrl], seconds: 1 }));
  // Whoever does not own the tables is not told that nothing was analyzed.
  await owner`analyze`;
  const [row] = await sql<{ id: string }[]>`select id from settlements order by created_at limit 1`;
  if (row === undefined) throw new Error("not one settlement was created");
  return `${TARGET}/${row.id}`;
}
