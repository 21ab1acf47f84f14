import { z } from "zod";
import { signedHeaders } from "#sandbox/client/signing.ts";
import type { BenchDatabase, BenchServer } from "#testing/stage/database.ts";
import { spent } from "./processes.ts";
import { type Job, Sent } from "./programs/job.ts";
import { runProgram, startProgram } from "./programs/run.ts";
import { ratesTable } from "./report.ts";
import { inTurns, type Outcome, type Side } from "./rounds.ts";
import { onOwnStage, type Stage } from "./stage.ts";

const TARGET = "/api/v1/settlements";
const CONNECTIONS = 16;
type Key = Job["keys"][number];
const NOBODY = "http://127.0.0.1:9/callbacks";
export const KINDS = ["create", "get", "pair"] as const;
type Kind = (typeof KINDS)[number];
/** The share of the reference's rate to reach, with one key and with sixteen. */
const GOALS: Readonly<Record<Kind, { one: number; sixteen: number }>> = {
  create: { one: 0.45, sixteen: 0.4 },
  get: { one: 0.8, sixteen: 0.7 },
  pair: { one: 0.4, sixteen: 0.3 },
};
/** Whom merchants are paid to. */
export const RECIPIENT = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** What a generator needs to know, whatever it sends and to whom. */
export function jobOf({ credentials, chain }: Stage, more: Pick<Job, "kind" | "baseUrls" | "seconds"> & Partial<Job>): Job {
  const createBody = JSON.stringify({
    source_amount: 100_000,
    source_currency: "KES",
    destination_currency: "USDT",
    external_merchant_id: "merchant-7",
    chain: chain.chain,
    wallet_address: RECIPIENT,
  });
  const keys = [{ ...credentials, getTarget: TARGET }];
  return {
    keys,
    connections: CONNECTIONS,
    createTarget: TARGET,
    createBody,
    recipient: RECIPIENT,
    callbackUrl: NOBODY,
    confirms: true,
    ...more,
  };
}

/** Sends all of it. The generator's CPU is measured separately. */
export async function send(job: Job) {
  const { value, cpuMs } = await spent(async () => Sent.parse(await runProgram("generator", job)));
  const { bench: _, ...others } = cpuMs;
  return { ...value, cpuMs: { ...others, generator: value.cpuMs } };
}

type Sampling = { rounds: number; seconds: number };

/**
 * Signed requests of one key and of sixteen, over as many connections, to one web process and to two, compared with Fastify with the
 * minimum of work.
 */
export async function measureSigned(server: BenchServer, kinds: readonly Kind[], timings: Sampling): Promise<string> {
  return await onOwnStage(server, async (stage, database) => {
    const [one, two] = [await stage.startWeb(), await stage.startWeb()];
    const setup = { databaseUrl: database.url, secret: stage.credentials.api_secret, connections: 20, target: TARGET };
    const keys = await keysOfPartners(stage, one.baseUrl);
    const single = keys.slice(0, 1);
    await grow(database, stage, one.baseUrl);
    const reference = await startProgram("fastify", { ...setup, sameRows: false });
    const handwritten = await startProgram("fastify", { ...setup, sameRows: true });
    const referenceJob = (baseUrl: unknown) => ({ keys: single, confirms: false, baseUrls: [String(baseUrl)] });
    try {
      const outcomes: Outcome[] = [];
      for (const kind of kinds) {
        const run = (job: Pick<Job, "keys" | "baseUrls" | "confirms">) => (measured: boolean) =>
          send(jobOf(stage, { kind, seconds: measured ? timings.seconds : timings.seconds / 2, ...job }));
        const bare = `Fastify, ${kind}`;
        const ours = { confirms: true, baseUrls: [one.baseUrl] };
        const sides: Side[] = [
          { name: `${kind}, 1 key`, run: run({ ...ours, keys: single }), against: { name: bare, goal: GOALS[kind].one } },
          { name: `${kind}, 16 keys`, run: run({ ...ours, keys }), against: { name: bare, goal: GOALS[kind].sixteen } },
          {
            name: `${kind}, 16 keys, 2 web processes`,
            run: run({ ...ours, keys, baseUrls: [one.baseUrl, two.baseUrl] }),
            against: { name: bare },
          },
          { name: bare, run: run(referenceJob(reference.answer)) },
          {
            name: `Fastify, ${kind}, the same rows`,
            run: run({ ...referenceJob(handwritten.answer), confirms: true }),
            against: { name: bare },
          },
        ];
        outcomes.push(...(await inTurns(sides, timings.rounds)));
      }
      return ratesTable(outcomes);
    } finally {
      reference.stop();
      handwritten.stop();
    }
  });
}

/** Until the counters of limits fill some pages: a plan for one page reads all of it. */
const GROWS_SECONDS = 5;

/**
 * Creates some settlements. A plan for an empty table is cached until the table is analyzed, which the server does by itself within its
 * first minute.
 */
export async function grow({ owner }: BenchDatabase, stage: Stage, baseUrl: string): Promise<void> {
  await send(jobOf(stage, { kind: "pair", baseUrls: [baseUrl], seconds: GROWS_SECONDS }));
  await send(jobOf(stage, { kind: "create", baseUrls: [baseUrl], seconds: 1 }));
  // A role that does not own the tables gets no warning that nothing was analyzed.
  await owner`analyze`;
}

/** The stage's own key and one of each of fifteen more partners, each with a settlement to read. */
export async function keysOfPartners(stage: Stage, baseUrl: string): Promise<[Key, ...Key[]]> {
  const others = Array.from({ length: CONNECTIONS - 1 }, async (_, number) => await keyOfNewPartner(stage, baseUrl, `bench-${number}`));
  const withTarget = async (key: { api_key: string; api_secret: string }): Promise<Key> => {
    const { createBody: body } = jobOf(stage, { kind: "create", baseUrls: [baseUrl], seconds: 0 });
    const headers = Object.fromEntries(signedHeaders(key, { method: "POST", target: TARGET, body }));
    const { tx_id } = await posted(Quoted, `${baseUrl}${TARGET}`, headers, body);
    return { ...key, getTarget: `${TARGET}/${tx_id}` };
  };
  return [await withTarget(stage.credentials), ...(await Promise.all((await Promise.all(others)).map(withTarget)))];
}

const Quoted = z.object({ tx_id: z.string() });
const Made = z.object({ id: z.string() });
const Issued = z.object({ api_key: z.string(), api_secret: z.string() });

/** The key of a partner that the operator makes for it. */
export async function keyOfNewPartner({ operator }: Stage, baseUrl: string, slug: string): Promise<z.infer<typeof Issued>> {
  const headers = { apiKey: operator.api_key, "Content-Type": "application/json" };
  const partner = { name: slug, slug, roles: ["AGGREGATOR"] };
  const { id } = await posted(Made, `${baseUrl}/partners`, headers, JSON.stringify(partner));
  return await posted(Issued, `${baseUrl}/partners/api-keys`, headers, JSON.stringify({ partner_id: id, name: slug }));
}

async function posted<Body>(schema: z.ZodType<Body>, url: string, headers: Record<string, string>, body: string): Promise<Body> {
  const answer = await fetch(url, { method: "POST", headers, body });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`POST ${url} was answered ${answer.status}: ${text.slice(0, 500)}`);
  return schema.parse(JSON.parse(text));
}
