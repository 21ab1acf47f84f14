/**
 * `npm run bench:signed` measures the signed surface beside a bare server that does no more than has to be done, on one PostgreSQL with
 * fsync, round by round in turns. `--only create,get,pair`, `--quick`, `--rounds 5`, `--seconds 5`, `--connections 16`. What the numbers
 * mean is in `bench/README.md`.
 */
import { parseArgs } from "node:util";
import { TEST_CHAIN } from "#testing/factories.ts";
import { openBenchDatabase } from "./database.ts";
import { serve } from "./served.ts";
import type { Job, Tally } from "./signed/job.ts";
import { load } from "./signed/load.ts";
import { startReference } from "./signed/start-reference.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "create,get,pair" },
    quick: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "5" },
    connections: { type: "string", default: "16" },
  },
});
const ROUNDS = values.quick ? 1 : Number(values.rounds);
const SECONDS = values.quick ? 2 : Number(values.seconds);
const WARM_UP_SECONDS = 2;
const KINDS = (["create", "get", "pair"] as const).filter((kind) => values.only.split(",").includes(kind));
const TARGET = "/api/v1/settlements";
const print = (text: string) => process.stdout.write(`${text}\n`);

const median = (numbers: readonly number[]) =>
  numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? Number.NaN;
const rate = ({ done, seconds }: Tally) => done / seconds;

function line(name: string, tallies: readonly Tally[], ratio: string): string {
  const rates = tallies.map(rate);
  const range = `${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}/s`;
  const p50 = `${median(tallies.map(({ p50Ms }) => p50Ms)).toFixed(1)} ms`;
  const own = `${median(tallies.map(({ cpuSeconds, done }) => (cpuSeconds / done) * 1_000)).toFixed(2)} ms`;
  const figures = [`${median(rates).toFixed(0)}/s`, range, p50, own, ratio];
  return `  ${name.padEnd(24)}${figures.map((figure) => figure.padStart(14)).join("")}`;
}

const database = await openBenchDatabase({ durable: true });
try {
  const service = await serve(database.url);
  const connections = Number(values.connections);
  const reference = await startReference({ databaseUrl: database.url, secret: service.credentials.api_secret, connections: 20 });
  try {
    const createBody = JSON.stringify({
      ...{ source_amount: 100_000, source_currency: "KES", destination_currency: "USDT", external_merchant_id: "merchant-7" },
      ...{ chain: TEST_CHAIN.chain, wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" },
    });
    const common = { credentials: service.credentials, connections, createTarget: TARGET, createBody };
    const one = await load({ ...common, kind: "create", baseUrl: service.baseUrl, seconds: 0.1, confirms: true, getTarget: "" });
    if (one.done === 0) throw new Error("not one settlement was created");
    const [row] = await database.sql<{ id: string }[]>`select id from settlements order by created_at limit 1`;
    const jobFor = (kind: Job["kind"], baseUrl: string, seconds: number): Job => {
      return { ...common, kind, baseUrl, seconds, confirms: baseUrl === service.baseUrl, getTarget: `${TARGET}/${row?.id}` };
    };
    print(`${ROUNDS} rounds of ${SECONDS} s each, ${connections} connections, in turns\n`);
    print(`  ${"".padEnd(24)}${["median", "range", "p50", "generator CPU", "ratio"].map((name) => name.padStart(14)).join("")}`);
    for (const kind of KINDS) {
      for (const { baseUrl } of [service, reference]) await load(jobFor(kind, baseUrl, WARM_UP_SECONDS));
      const ours: Tally[] = [];
      const bare: Tally[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        ours.push(await load(jobFor(kind, service.baseUrl, SECONDS)));
        bare.push(await load(jobFor(kind, reference.baseUrl, SECONDS)));
      }
      const ratios = ours.map((tally, round) => rate(tally) / rate(bare[round] ?? tally));
      print(line(kind, ours, median(ratios).toFixed(3)));
      print(line(`${kind}, bare`, bare, "1"));
    }
  } finally {
    reference.stop();
    await service.stop();
  }
} finally {
  await database.close();
}
