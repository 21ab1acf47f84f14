import { randomUUID } from "node:crypto";
import { claimDue } from "#db/lease.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { readSettlementAsShown } from "#server/services/settlements/read-settlement.ts";
import { setRate, testChains } from "#testing/factories.ts";
import type { BenchDatabase, BenchServer } from "#testing/stage/database.ts";
import { callerFor } from "./caller.ts";
import { spent } from "./processes.ts";
import { table } from "./report.ts";
import { inTurns, median, type Outcome, type Side } from "./rounds.ts";
import { seed } from "./seed.ts";
import { RECIPIENT } from "./signed.ts";

/** The first of the seeded partners, which has half of the traffic, and the key of the same id. */
const PARTNER = "00000000-0000-4000-8000-000000000001";
const BY = { actor: { type: "api_key", apiKeyId: PARTNER, partnerId: PARTNER }, requestId: null } as const;
const GOAL = 1.3;

type Sampling = { rounds: number; calls: number; rows: readonly [small: number, large: number] };

/** What the same call costs with few settlements and with many, one at a time, without HTTP, in turns between two databases. */
export async function measureGrowth(server: BenchServer, { rounds, calls, rows: [small, large] }: Sampling): Promise<string> {
  return await server.withDatabase((few) =>
    server.withDatabase(async (many) => {
      const lines: string[][] = [];
      for (const [database, rows] of [[few, small] as const, [many, large] as const]) await seed(database.owner, rows);
      for (const [name, prepare] of Object.entries(WORK)) {
        const [before, after] = await oneCall(prepare, [few, many], { rounds, calls });
        if (before && after) lines.push([...lineOf(name, before, after), `≤ ${GOAL}`]);
      }
      const head = [small, large].flatMap((rows) => [`ms at ${rows.toLocaleString("en")}`, "of it PostgreSQL's CPU"]);
      return table(["One call", ...head, "cost", "goal"], lines);
    }),
  );
}

export type Prepare = (database: BenchDatabase, calls: number) => Promise<Call>;

/** One call after another of the same kind, in turns on two databases; the second is compared with the first. */
export async function oneCall(
  prepare: Prepare,
  [few, many]: readonly [BenchDatabase, BenchDatabase],
  { rounds, calls }: Omit<Sampling, "rows">,
): Promise<Outcome[]> {
  const side = (name: string, database: BenchDatabase): Side => ({
    name,
    run: async () => {
      const call = await prepare(database, calls);
      const taken: number[] = [];
      const { cpuMs } = await spent(async () => {
        for (let number = 0; number < calls; number += 1) taken.push(await timed(() => call(number)));
      });
      // As fast as the call in the middle: what else the machine does now and then hits a few of them hard.
      return { done: calls, seconds: (median(taken) * calls) / 1_000, cpuMs };
    },
    against: { name: "one" },
  });
  return await inTurns([side("one", few), side("other", many)], rounds);
}

/** The milliseconds of both, with PostgreSQL's part of them, and what the second costs of the first. */
export function lineOf(name: string, before: Outcome, after: Outcome): string[] {
  const figures = [before, after].flatMap(({ perSecond, cpuMs }) => [
    (1_000 / perSecond.median).toFixed(2),
    (cpuMs.PostgreSQL ?? 0).toFixed(2),
  ]);
  const speed = after.against?.ratio ?? { median: Number.NaN, low: Number.NaN, high: Number.NaN };
  const cost = `${(1 / speed.median).toFixed(2)}× (${(1 / speed.high).toFixed(2)}–${(1 / speed.low).toFixed(2)})`;
  return [name, ...figures, cost];
}

async function timed(call: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await call();
  return performance.now() - started;
}

type Call = (number: number) => Promise<unknown>;

/** Each prepares, which is not measured, and returns the measured call. */
export const WORK = {
  create: async ({ db }) => {
    await setRate(db, "0.0077");
    return () => create(db);
  },
  get: async ({ db }, calls) => {
    const ids = await quotes(db, Math.min(calls, 20));
    return (number) => readSettlementAsShown({ db }, { partnerId: PARTNER, id: ids[number % ids.length] ?? "" });
  },
  confirm: async ({ db }, calls) => {
    const ids = await quotes(db, calls);
    return (number) => confirm(db, ids[number] ?? "");
  },
  "a claim of one payment": async ({ db, sql }, calls) => {
    for (const id of await quotes(db, calls)) await confirm(db, id);
    await sql`update transfers set lease_until = null, lease_token = null where due_at is not null`;
    return () => claimDue(db, "transfers", { token: randomUUID(), limit: 1 });
  },
  "a page of the list, everybody's": async ({ db }) => {
    const caller = callerFor(db, "operator");
    return () => caller.settlements.list({});
  },
  "a page of the list, one partner's": async ({ db }) => {
    const caller = callerFor(db, "partner");
    return () => caller.settlements.list({});
  },
} satisfies Record<string, Prepare>;

async function create(db: BenchDatabase["db"]): Promise<string> {
  const { id } = await createSettlement(
    { db, chains: testChains },
    {
      partnerId: PARTNER,
      apiKeyId: PARTNER,
      by: BY,
      externalMerchantId: "merchant-7",
      callbackUrl: "https://partner.example/callbacks",
      sourceAmountMinor: 100_000n,
      sourceCurrency: "KES",
      destinationCurrency: "USDT",
      chain: "eip155:31337",
      walletAddress: RECIPIENT,
    },
  );
  return id;
}

async function quotes(db: BenchDatabase["db"], count: number): Promise<string[]> {
  const ids: string[] = [];
  await setRate(db, "0.0077");
  while (ids.length < count) ids.push(await create(db));
  return ids;
}

const confirm = (db: BenchDatabase["db"], id: string) =>
  confirmSettlement(
    { db },
    { partnerId: PARTNER, by: BY, id, externalTxId: randomUUID(), callbackUrl: null, expectedDestinationAmount: null },
  );
