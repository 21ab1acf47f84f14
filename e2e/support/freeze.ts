import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Freezes parts of a sandbox, like a hung machine: nothing is closed, nothing is answered. */

const frozen = new Set<number>();

export function freeze(pids: readonly number[]): void {
  for (const pid of pids) {
    process.kill(pid, "SIGSTOP");
    frozen.add(pid);
  }
}

/** Default: everything that was frozen. */
export function thaw(pids: readonly number[] = [...frozen]): void {
  for (const pid of pids) {
    process.kill(pid, "SIGCONT");
    frozen.delete(pid);
  }
}

/** The process of a sandbox in this directory: its log names it. */
export function processOf(directory: string, part: "web" | "worker"): number {
  return Number([...readFileSync(join(directory, "logs", `${part}.log`), "utf8").matchAll(/"pid":(\d+)/g)].at(-1)?.[1]);
}

/** The node of its chain. */
export function chainProcess(directory: string): number {
  return Number(readFileSync(join(directory, "chain.pid"), "utf8"));
}

/** The server and all that it has started for its connections. */
export function databaseProcesses(directory: string): number[] {
  const server = Number(readFileSync(join(directory, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
  const children = readFileSync(`/proc/${server}/task/${server}/children`, "utf8").trim().split(/\s+/).map(Number);
  return [server, ...children];
}
