import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { machine, table, writeSection } from "#bench/report.ts";
import type { Experiment } from "./experiment.ts";
import type { Outcome } from "./outcome.ts";

/** The stored result of a run. */
const Kept = z.object({
  name: z.string(),
  breaks: z.string(),
  judged: z.string(),
  began: z.string(),
  seconds: z.number(),
  machine: z.string(),
  command: z.string(),
  counts: z.string(),
  checked: z.number(),
  violations: z.array(z.string()),
});
type Kept = z.infer<typeof Kept>;
export type Result = Kept & { lines: readonly string[] };

const PAGE = "reliability.md";
const FILE = fileURLToPath(new URL("../docs/reliability.json", import.meta.url));
const SHOWN = 12;

type RunReport = { experiment: Experiment; command: string; began: Date; counts: string; outcomes: readonly Outcome[] };

/** One line for each rule, and each violation. A rule without cases is omitted: it has proved nothing. */
export function describe({ experiment: { name, breaks, judged }, command, began, counts, outcomes }: RunReport): Result {
  const seconds = Math.round((Date.now() - began.getTime()) / 1_000);
  const tried = outcomes.filter(({ checked, violations }) => checked > 0 || violations.length > 0);
  const lines = tried.flatMap(({ rule, title, checked, violations }) => [
    `   ${violations.length === 0 ? "✓" : "✗"} ${rule} (${checked}): ${title}`,
    ...violations.slice(0, SHOWN).map((violation) => `       ${violation}`),
    ...(violations.length > SHOWN ? [`       … and ${violations.length - SHOWN} more`] : []),
  ]);
  const violations = tried.flatMap((outcome) => outcome.violations.map((violation) => `${outcome.rule}: ${violation}`));
  const checked = tried.reduce((sum, outcome) => sum + outcome.checked, 0);
  const verdict = `   ${counts}; ${checked} checks, ${violations.length} violations, ${seconds} s\n`;
  const kept = { name, breaks, judged, began: began.toISOString(), seconds, machine: machine(), command, counts, checked, violations };
  return { ...kept, lines: [...lines, verdict] };
}

/**
 * `page`: stores the last run of each experiment next to the page, and writes the page's table from all of them. `json`: only this run's.
 */
export function writeResults(results: readonly Result[], { page, json }: { page: boolean; json: string | undefined }): void {
  const kept = results.map((result) => Kept.parse(result));
  if (json !== undefined) writeFileSync(json, asJson(kept));
  if (!page) return;
  const before = existsSync(FILE) ? z.array(Kept).parse(JSON.parse(readFileSync(FILE, "utf8"))) : [];
  const all = [...before.filter(({ name }) => !kept.some((one) => one.name === name)), ...kept];
  writeFileSync(FILE, asJson(all));
  writeSection(PAGE, "fault", tableOf(all));
}

/** The results written by `json`, without the printed lines. */
export function readResults(json: string | URL): Result[] {
  const kept = z.array(Kept).parse(JSON.parse(readFileSync(json, "utf8")));
  return kept.map((each) => ({ ...each, lines: [] }));
}

const asJson = (kept: readonly Kept[]) => `${JSON.stringify(kept, null, 2)}\n`;

/** The table of `docs/reliability.md`, and the command that repeats each row of it. */
export function tableOf(all: readonly Kept[]): string {
  const head = ["Experiment", "What it breaks", "How it is judged", "Done", "Checks", "Violations", "When", "Took"];
  const rows = all.map((one) => [
    `\`${one.name}\``,
    one.breaks,
    one.judged,
    one.counts,
    String(one.checked),
    String(one.violations.length),
    `${one.began.slice(0, 16).replace("T", " ")} UTC`,
    `${one.seconds} s`,
  ]);
  const commands = all.map(({ name, command, machine: where }) => `- \`${name}\`: \`${command}\`; ${where}`);
  return `${table(head, rows)}\n\n${commands.join("\n")}`;
}
