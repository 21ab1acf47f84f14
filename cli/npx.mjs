/**
 * Whether the npx that started us is still there. It starts a shell, and that starts us: anyone who ends npx (`npx settle listen &`, then
 * `kill %1`) reaches neither. It depends on nothing and runs on Node 18.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const LOOK_MS = 500;
const MOST_BETWEEN = 3;

/**
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {() => void} end called once, when npx or the shell between is gone; never where no npx started us
 */
export function onEndOfNpx(env, end) {
  const starters = env.npm_command === "exec" ? startersUpToNpx() : [];
  if (starters.length === 0) return;
  const timer = setInterval(() => {
    if (starters.every(isThere)) return;
    clearInterval(timer);
    end();
  }, LOOK_MS);
  timer.unref();
}

/** Our parent and its ancestors up to npx; empty if npx is not among them, or if it is unknown. */
function startersUpToNpx() {
  const found = [];
  for (let pid = process.ppid; pid > 1 && found.length < MOST_BETWEEN; ) {
    const process = describe(pid);
    if (process === null) return [];
    found.push(pid);
    if (/(?:^|[\s/])np[mx](?:[\s.-]|$)/.test(process.command)) return found;
    pid = process.parent;
  }
  return [];
}

/** @param {number} pid */
function describe(pid) {
  try {
    if (existsSync(`/proc/${pid}/stat`)) {
      // Its second field is a name in brackets, which may contain anything.
      const parent = readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")[1];
      return { parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") };
    }
    const [, parent = "0", command = ""] =
      /^\s*(\d+)\s+(.*)$/s.exec(execFileSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" })) ?? [];
    return { parent: Number(parent), command };
  } catch {
    return null;
  }
}

/** @param {number} pid */
function isThere(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
