/**
 * `npm run bench` measures the speed of the service, each workload compared with a reference that does the same work, in turns in one run.
 * `-- --only create,execution`: some of it. `--quick`: a little of each, to see that it works. `--write`: into docs/performance.md.
 * `--postgres machine`: on the machine's PostgreSQL as it is installed, where a compiled statement of the service is a failure. `--against
 * FILE`: exits with 1 if a ratio is more than a tenth below the one in that page (the release's, as git shows it). `bench/README.md`
 * explains the numbers.
 */
import { readFileSync } from "node:fs";
import { inspect, parseArgs } from "node:util";
import { SANDBOX_FAMILIES } from "#server/config/sandbox-chains.ts";
import { type BenchServer, POSTGRES_KINDS, startBenchServer } from "#testing/stage/database.ts";
import { measureBatches } from "./batches.ts";
import { measureCallbacks } from "./callbacks.ts";
import { measureCitus } from "./citus.ts";
import { lossesAgainst } from "./compare.ts";
import { measureConsole } from "./console.ts";
import { measureCost } from "./cost.ts";
import { measureEventCost } from "./event-cost.ts";
import { measureEvents } from "./events.ts";
import { measureExecution } from "./execution.ts";
import { measureExecutionOn } from "./execution-on.ts";
import { measureBytes, measureMemory, measureStart } from "./footprint.ts";
import { measureGrowth } from "./growth.ts";
import { measureIsolation } from "./isolation.ts";
import { measureKeeping } from "./keeping.ts";
import { measureVitals } from "./page-vitals.ts";
import { measurePages } from "./page-weight.ts";
import { measureProfile } from "./profile.ts";
import { circumstances, writeSection } from "./report.ts";
import { measureRestart } from "./restart.ts";
import { KINDS, measureSigned } from "./signed.ts";
import { measureSigner } from "./signer.ts";
import { measureTraces } from "./traces.ts";
import { measureYear } from "./year.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    rounds: { type: "string" },
    rows: { type: "string" },
    sizes: { type: "string", default: "1000000,5000000,20000000" },
    against: { type: "string" },
    postgres: { type: "string", default: "embedded" },
    set: { type: "string", multiple: true, default: [] },
    quiet: { type: "string" },
  },
});
const pick = <T>(full: T, quick: T): T => (values.quick ? quick : full);
const rounds = Number(values.rounds ?? pick(5, 1));
const rows = Number(values.rows ?? pick(100_000, 10_000));

/** The section's name, its workloads, and the function that measures the requested ones. `vitals` needs a browser, and must be named. */
type Section = {
  name: string;
  workloads: readonly string[];
  measure(server: BenchServer, asked: (workload: string) => boolean): Promise<string>;
};

const SECTIONS: readonly Section[] = [
  {
    name: "signed",
    workloads: KINDS,
    measure: (server, asked) => measureSigned(server, KINDS.filter(asked), { rounds, seconds: pick(5, 1.5) }),
  },
  single("cost", (server) => measureCost(server, { rounds: rounds * 2, calls: pick(480, 160) })),
  single("batches", (server) => measureBatches(server, { rounds, batches: pick(6, 2), payments: pick(10_000, 200) })),
  single("traces", (server) => measureTraces(server, { rounds, seconds: pick(5, 1.5) })),
  single("execution", (server) => measureExecution(server, { rounds, count: pick(1_000, 100) })),
  ...SANDBOX_FAMILIES.map((family) =>
    single(`execution-${family}`, (server) => measureExecutionOn(server, family, { rounds: pick(2, 1), count: pick(200, 20) })),
  ),
  single("signer", (server) => measureSigner(server, { rounds, count: pick(1_000, 100) })),
  {
    name: "callbacks",
    workloads: ["callbacks-1", "callbacks-20"],
    measure: (server, asked) =>
      measureCallbacks(
        server,
        ([1, 20] as const).filter((receivers) => asked(`callbacks-${receivers}`)),
        { rounds, count: pick(2_000, 500) },
      ),
  },
  single("events", (server) => measureEvents(server, { rounds, count: pick(20_000, 2_000) })),
  single("event-cost", (server) => measureEventCost(server, { rounds: pick(60, 4), lives: 200 })),
  single("console", (server) => measureConsole(server, { rows })),
  single("growth", (server) => measureGrowth(server, { rounds: rounds * 2, calls: pick(50, 25), rows: [10_000, pick(1_000_000, 50_000)] })),
  single("year", (server) =>
    measureYear(server, {
      rows: values.sizes.split(",").map(Number),
      calls: pick(100, 25),
      quiet: values.quiet === undefined ? null : Number(values.quiet),
    }),
  ),
  single("isolation", (server) => measureIsolation(server, { rounds: rounds * 2, calls: pick(50, 25), rows: pick(200_000, 20_000) })),
  single("citus", () => measureCitus({ rounds: rounds * 2, calls: pick(50, 25) })),
  single("keeping", (server) => measureKeeping(server, { rows: pick(200_000, 50_000) })),
  single("start", (server) => measureStart(server, { rounds })),
  single("restart", (server) => measureRestart(server, { rounds: rounds * 2 })),
  single("memory", (server) => measureMemory(server, { seconds: pick(10, 2) })),
  single("bytes", (server) => measureBytes(server, { seconds: pick(10, 2) })),
  single("profile", (server) => measureProfile(server, { seconds: pick(10, 2), count: pick(500, 50) })),
  single("pages", async () => measurePages()),
  single("vitals", (server) => measureVitals(server, { rows, loads: pick(9, 2) })),
];

function single(name: string, measure: Section["measure"]): Section {
  return { name, workloads: [name], measure };
}

const all = SECTIONS.flatMap(({ workloads }) => workloads);
const wanted = values.only?.split(",") ?? all.filter((name) => !["vitals", "citus", "year"].includes(name));
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`There is no workload ${unknown.join(", ")}: choose from ${all.join(", ")}.`);

const command = `npm run bench -- ${process.argv.slice(2).join(" ")}`.trim().replace(/ --$/, "");
const before = values.against === undefined ? "" : readFileSync(values.against, "utf8");
const LARGEST_LOSS = 0.1;
const kind = POSTGRES_KINDS.find((one) => one === values.postgres);
if (kind === undefined) throw new Error(`--postgres is one of ${POSTGRES_KINDS.join(", ")}.`);
const settings: Record<string, string> = {};
for (const one of values.set) {
  const [, name, value] = /^(\w+)=(.+)$/s.exec(one) ?? [];
  if (name === undefined || value === undefined) throw new Error(`--set is name=value, not ${one}.`);
  settings[name] = value;
}
const server = await startBenchServer(kind, settings);
const where = circumstances(command, await server.version());
try {
  for (const section of SECTIONS.filter(({ workloads }) => workloads.some((workload) => wanted.includes(workload)))) await run(section);
} finally {
  await server.stop();
}

/** A failure is printed, and does not stop other sections. */
async function run({ name, measure }: Section): Promise<void> {
  const started = performance.now();
  try {
    const text = await measure(server, (workload) => wanted.includes(workload));
    const page = ["citus", "keeping"].includes(name) ? "scaling.md" : "performance.md";
    if (values.write) writeSection(page, `bench: ${name}`, `${text}\n\n${where}`);
    const losses = lossesAgainst(before, text, LARGEST_LOSS);
    for (const loss of losses) process.stderr.write(`slower than before: ${loss}\n`);
    if (losses.length > 0) process.exitCode = 1;
    process.stdout.write(`## ${name}\n\n${text}\n\n(${((performance.now() - started) / 1_000).toFixed(0)} s)\n\n`);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`## ${name} failed\n\n${inspect(error)}\n\n`);
  }
}
