import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import type { Cpu, Outcome, Spread } from "./rounds.ts";

/** The one writer of tables and bars, for the terminal and for the page of results alike. */

/** Pages of results, by their names. */
const DOCS = new URL("../docs/", import.meta.url);

/** A table in Markdown, its columns aligned so that a terminal shows it well; the first column to the left, figures to the right. A bar within a cell ends none. */
export function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const rows = body.map((cells) => cells.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((name, column) => Math.max(3, ...[name, ...rows.map((row) => row[column] ?? "")].map((cell) => cell.length)));
  const pad = (cell: string, column: number) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0));
  const line = (cells: readonly string[]) => `| ${head.map((_, column) => pad(cells[column] ?? "", column)).join(" | ")} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

const ranged = ({ median, low, high }: Spread, digits: number) =>
  `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;

const cpuCell = (cpu: Cpu) =>
  Object.entries(cpu)
    .filter(([, ms]) => ms >= 0.005)
    .map(([name, ms]) => `${name} ${ms.toFixed(2)}`)
    .join(", ");

/** Sides that ran in turns: a line each, and a bar for each that is compared. */
export function ratesTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ name, perSecond, p50Ms, cpuMs, against }) => [
    name,
    ranged(perSecond, 0),
    p50Ms === null ? "" : p50Ms.toFixed(1),
    cpuCell(cpuMs),
    against ? `${ranged(against.ratio, 2)} of ${against.name}` : "",
    against?.goal ? `≥ ${against.goal}` : "",
  ]);
  const head = ["Work", "per second", "p50 ms", "CPU ms each", "ratio", "goal"];
  return `${table(head, rows)}\n\n${bars(outcomes)}`;
}

const BAR = 40;

/** A bar for the ratio, with `|` at the goal; a comparison of two of our own may exceed the scale. */
function bars(outcomes: readonly Outcome[]): string {
  const widest = Math.max(...outcomes.map(({ name }) => name.length));
  const lines = outcomes.flatMap(({ name, against }) => {
    if (against === null) return [];
    const scale = BAR / Math.max(1, against.goal ?? 1, against.ratio.median);
    const drawn = "█".repeat(Math.round(against.ratio.median * scale)).padEnd(BAR, "·");
    const at = against.goal === null ? -1 : Math.min(BAR - 1, Math.round(against.goal * scale));
    const marked = at < 0 ? drawn : `${drawn.slice(0, at)}|${drawn.slice(at + 1)}`;
    return [`${name.padEnd(widest)} ${marked} ${against.ratio.median.toFixed(2)}`];
  });
  return ["```text", ...lines, "```"].join("\n");
}

/** What this machine is. */
export function machine(): string {
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model.trim() ?? "CPU"}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
}

/** The machine, the PostgreSQL and the command; called at the beginning, so that it shows how busy the machine was with other work. */
export function circumstances(command: string, postgres: string): string {
  const at = new Date().toISOString().slice(0, 16).replace("T", " ");
  return `\`${command}\`, begun ${at} UTC; ${machine()}, ${postgres}; load average before it began: ${loadavg()[0]?.toFixed(1)}.`;
}

/** Replaces a section of a page of results; the text around it stays. @throws where the page has no such section. */
export function writeSection(page: string, mark: string, text: string): void {
  const file = fileURLToPath(new URL(page, DOCS));
  const before = readFileSync(file, "utf8");
  const place = new RegExp(`(<!-- ${mark} -->\n)[\\s\\S]*?(?=<!-- end -->)`);
  if (!place.test(before)) throw new Error(`docs/${page} has no place for ${mark}`);
  writeFileSync(
    file,
    before.replace(place, (_, begin: string) => `${begin}${text}\n`),
  );
}
