import { readdirSync, readFileSync } from "node:fs";
import type { Cpu } from "./rounds.ts";

/** The CPU time and memory of the processes below this one, from the kernel. Without `/proc`, nothing is reported. */

/** The kernel's unit of CPU time, on every Linux that Node runs on. */
const TICK_MS = 10;

/** By which the processes are known: the program's name, and for ours the script among its arguments. */
const KINDS: readonly [name: string, comm: RegExp, script: RegExp][] = [
  ["PostgreSQL", /^postgres/, /./],
  ["chain", /^anvil/, /./],
  ["chain", /./, /sandbox\/chain\/(solana|tron)\/main\.ts/],
  ["web", /./, /server\/http\/main\.ts/],
  ["worker", /./, /server\/worker\/main\.ts/],
  ["signer", /./, /server\/signer\/main\.ts/],
  ["reference", /./, /bench\/programs\/(fastify|transfers)\.ts/],
];

type Seen = { pid: number; parent: number; kind: string | null; cpuMs: number };

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // it has ended meanwhile
  }
}

function look(pid: number): Seen[] {
  const [, comm, rest] = /^\d+ \((.*)\) (.*)$/s.exec(read(`/proc/${pid}/stat`)) ?? [];
  if (comm === undefined || rest === undefined) return [];
  const fields = rest.split(" ").map(Number);
  // Its own time, and that of its children that have ended: connections of PostgreSQL come and go.
  const cpuMs = [11, 12, 13, 14].reduce((sum, index) => sum + (fields[index] ?? 0), 0) * TICK_MS;
  const script = read(`/proc/${pid}/cmdline`).replaceAll("\0", " ");
  const kind = KINDS.find(([, byName, byScript]) => byName.test(comm) && byScript.test(script))?.[0] ?? null;
  return [{ pid, parent: fields[1] ?? 0, kind, cpuMs }];
}

/** All descendants of this process of one kind. */
function descendants(): Seen[] {
  let names: string[] = [];
  try {
    names = readdirSync("/proc");
  } catch {
    return [];
  }
  const all = names.filter((name) => /^\d+$/.test(name)).flatMap((name) => look(Number(name)));
  const ours = new Set([process.pid]);
  for (let before = 0; before !== ours.size; ) {
    before = ours.size;
    for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid);
  }
  return all.filter(({ pid, kind }) => kind !== null && ours.has(pid));
}

function cpuNow(): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { kind, cpuMs } of descendants()) sums[kind ?? ""] = (sums[kind ?? ""] ?? 0) + cpuMs;
  return sums;
}

/** Runs the work, and says how long it took and what each kind of process used meanwhile. They must outlive the work. */
export async function spent<T>(work: () => Promise<T>): Promise<{ value: T; seconds: number; cpuMs: Cpu }> {
  const [before, own, started] = [cpuNow(), process.cpuUsage(), performance.now()];
  const value = await work();
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(own);
  const used = Object.entries(cpuNow()).map(([name, ms]) => [name, ms - (before[name] ?? 0)] as const);
  return { value, seconds, cpuMs: { ...Object.fromEntries(used.filter(([, ms]) => ms > 0)), bench: (user + system) / 1_000 } };
}

/** The CPU of the threads of the descendants of a kind, in nanoseconds: for work too short for {@link spent}. Connections must stay open. */
export function nanosecondsOf(kind: "web" | "PostgreSQL"): number {
  const threads = pidsOf(kind).flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/schedstat`));
  return threads.reduce((sum, path) => sum + Number(read(path).split(" ")[0] ?? 0), 0);
}

/** The descendants of this process of one kind, by id. */
export function pidsOf(kind: "web" | "worker" | "signer" | "PostgreSQL" | "chain"): number[] {
  return descendants()
    .filter((seen) => seen.kind === kind)
    .map(({ pid }) => pid);
}

/** Resident memory of each process of a kind in MB: now, and the most that it ever was. */
export function memoryOf(kind: string): { now: number; peak: number }[] {
  return descendants()
    .filter((seen) => seen.kind === kind)
    .map(({ pid }) => read(`/proc/${pid}/status`))
    .map((status) => ({ now: mb(status, "VmRSS"), peak: mb(status, "VmHWM") }));
}

const mb = (status: string, name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN) / 1_024;

/** What a process has in memory, in MB: all of it, or without what it shares with others; NaN once it has ended. */
export function residentMb(pid: number, what: "VmRSS" | "RssAnon" = "VmRSS"): number {
  return mb(read(`/proc/${pid}/status`), what);
}
