import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "#sandbox/guarded-process.ts";
import { errorCode, Trouble } from "#server/process/trouble.ts";

const LONGEST_MS = 15_000;

/**
 * Ends a program that an earlier run, killed without a word, may have left behind. The first line of the file names its process;
 * that one is touched only if its command line names our own path, since numbers of processes are used again.
 */
export async function endLeftBehind(pidFile: string, ownPath: string, signal: NodeJS.Signals): Promise<void> {
  const deadline = Date.now() + LONGEST_MS;
  for (let sent = false; existsSync(pidFile); sent = true) {
    const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
    if (!(pid > 0) || !(await commandLine(pid)).includes(ownPath)) return;
    try {
      if (Date.now() > deadline) process.kill(pid, "SIGKILL");
      else if (!sent) process.kill(pid, signal);
    } catch (error) {
      if (errorCode(error) === "EPERM")
        throw new Trouble(`Process ${pid} of another user works on ${ownPath}: stop it, or choose another DATA_DIR.`);
    }
    await sleep(100);
  }
}

/** A process's command line; empty when there is no such process. */
export async function commandLine(pid: number): Promise<string> {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    if (existsSync("/proc/self/cmdline")) return "";
    return run("ps", ["-o", "command=", "-p", String(pid)], null).catch(() => "");
  }
}
