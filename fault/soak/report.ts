import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { table, writeSection } from "#bench/report.ts";
import { Sample } from "./samples.ts";
import { growthMb, MAY_GROW_MB, WATCHED_FROM } from "./trends.ts";

/** A run as it is stored next to the page. */
export const SoakRun = z.object({
  command: z.string(),
  began: z.string(),
  minutes: z.number(),
  rate: z.number(),
  machine: z.string(),
  settlements: z.number(),
  troubles: z.record(z.string(), z.number()),
  checked: z.number(),
  violations: z.array(z.string()),
  samples: z.array(Sample),
});
export type SoakRun = z.infer<typeof SoakRun>;

const FILE = fileURLToPath(new URL("../../docs/soak.json", import.meta.url));
const SHOWN = 12;
const MB = 1_048_576;

/** This many of a list, its first and last included. */
function thinned<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list];
  return Array.from({ length: count }, (_, index) => list[Math.round((index * (list.length - 1)) / (count - 1))] as T);
}

const BLOCKS = "▁▂▃▄▅▆▇█";
const CURVE_WIDTH = 60;

/** A line of blocks from 0 to the highest value. */
export function curve(values: readonly number[]): string {
  const top = Math.max(...values, 0);
  return thinned(values, CURVE_WIDTH)
    .map((value) => (top === 0 ? BLOCKS[0] : BLOCKS[Math.min(7, Math.floor((value / top) * 8))]))
    .join("");
}

const figure = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

/** What is drawn, each with its unit. */
const CURVES: readonly (readonly [name: string, of: (sample: Sample) => number])[] = [
  ["settlements a second", ({ perSecond }) => perSecond],
  ["create, p50 ms", ({ createMs }) => createMs.p50],
  ["create, p99 ms", ({ createMs }) => createMs.p99],
  ["confirm, p50 ms", ({ confirmMs }) => confirmMs.p50],
  ["confirm, p99 ms", ({ confirmMs }) => confirmMs.p99],
  ["oldest unpaid, s", ({ oldestUnpaidSeconds }) => oldestUnpaidSeconds],
  ["callbacks outstanding", ({ callbacksOutstanding }) => callbacksOutstanding],
  ["web, MB", ({ memoryMb }) => memoryMb.web ?? 0],
  ["worker, MB", ({ memoryMb }) => memoryMb.worker ?? 0],
  ["signer, MB", ({ memoryMb }) => memoryMb.signer ?? 0],
  ["PostgreSQL, MB unshared", ({ memoryMb }) => memoryMb.PostgreSQL ?? 0],
  ["chain, MB", ({ memoryMb }) => memoryMb.chain ?? 0],
  ["driver, MB", ({ memoryMb }) => memoryMb.driver ?? 0],
  ["database, MB", ({ databaseBytes }) => databaseBytes / MB],
  ["write-ahead log, MB", ({ walBytes }) => walBytes / MB],
  ["logs and journal, MB", ({ filesBytes }) => filesBytes / MB],
  ["dead rows of these tables", ({ tables }) => tables.reduce((sum, { dead }) => sum + dead, 0)],
];

function drawn(samples: readonly Sample[]): string {
  const widest = Math.max(...CURVES.map(([name]) => name.length));
  const lines = CURVES.map(([name, of]) => {
    const values = samples.map(of);
    return `${name.padEnd(widest)} ${curve(values)} ${figure(Math.min(...values))} to ${figure(Math.max(...values))}`;
  });
  return ["```text", ...lines, "```"].join("\n");
}

/** How much each process grew while it was warm. */
function growths(samples: readonly Sample[]): string {
  const rows = Object.entries(MAY_GROW_MB).map(([process, limit]) => {
    const growth = growthMb(samples, process, WATCHED_FROM[process]);
    return [process, growth === null ? "too short a run" : growth.toFixed(1), `≤ ${limit}`];
  });
  return table(["MB an hour", "growth", "bound"], rows);
}

/** The largest tables at the end, and how many bytes each live row takes at several moments: bloat shows there. */
function sizes(samples: readonly Sample[]): string {
  const moments = thinned(samples.slice(Math.floor(samples.length / 10)), 4);
  const last = samples.at(-1);
  const rows = (last?.tables ?? []).map(({ name, rowBytes, indexBytes, live, dead }) => [
    name,
    figure(rowBytes / MB),
    figure(indexBytes / MB),
    String(live),
    String(dead),
    moments
      .map(({ tables }) => tables.find((one) => one.name === name))
      .map((one) => (one === undefined || one.live === 0 ? "–" : ((one.rowBytes + one.indexBytes) / one.live).toFixed(0)))
      .join(", "),
  ]);
  const at = moments.map(({ minute }) => minute.toFixed(0)).join(", ");
  const head = ["Table", "rows, MB", "indexes, MB", "live rows", "dead rows", `bytes for a live row after ${at} min`];
  const indexes = (last?.indexes ?? []).map(({ name, bytes }) => `${name} ${figure(bytes / MB)}`).join(", ");
  return `${table(head, rows)}\n\nThe largest indexes at the end, in MB: ${indexes}.`;
}

/** Some of the samples, as figures. */
function figures(samples: readonly Sample[]): string {
  const rows = thinned(samples, SHOWN).map((sample) => [sample.minute.toFixed(1), ...CURVES.map(([, of]) => figure(of(sample)))]);
  return table(["minute", ...CURVES.map(([name]) => name)], rows);
}

/** The whole report, for the terminal and the page alike. */
export function reportOf(run: SoakRun): string {
  const troubles = Object.entries(run.troubles).map(([name, count]) => `${count} ${name}`);
  const began = run.began.slice(0, 16).replace("T", " ");
  const held = run.violations.length === 0 ? "no violation" : `${run.violations.length} violations`;
  return [
    `\`${run.command}\`, begun ${began} UTC, ${run.minutes.toFixed(0)} minutes; ${run.machine}.`,
    `${run.settlements} settlements at ${run.rate} a second, and meanwhile ${troubles.join(", ") || "no trouble"}; ${run.checked} checks, ${held}.`,
    ...run.violations.slice(0, SHOWN).map((violation) => `- ${violation}`),
    ...(run.samples.length === 0 ? [] : [drawn(run.samples), growths(run.samples), sizes(run.samples), figures(run.samples)]),
  ].join("\n\n");
}

/** Stores the run, and writes the section of the page from it. */
export function writeRun(run: SoakRun): void {
  writeFileSync(FILE, `${JSON.stringify(SoakRun.parse(run))}\n`);
  writeSection("reliability.md", "soak", reportOf(SoakRun.parse(JSON.parse(readFileSync(FILE, "utf8")))));
}
