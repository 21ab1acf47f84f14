import { spawn } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startGuarded } from "./guarded-process.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "settlement-guard-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
const pidIn = (file: string) => expect.poll(() => Number(readFileSync(file, { encoding: "utf8", flag: "a+" })));

test("a program ends in good order, and its end is reported", async () => {
  const pidFile = join(folder, "pid");
  const log = openSync(join(folder, "log"), "a");
  const guarded = startGuarded({ command: "/bin/sleep", args: ["60"], endSignal: "TERM", log, pidFile });
  await pidIn(pidFile).toBeGreaterThan(0);
  const pid = Number(readFileSync(pidFile, "utf8"));
  expect(isRunning(pid)).toBe(true);
  await guarded.stop();
  expect(isRunning(pid)).toBe(false);
  expect(guarded.ended()).toBe("exit code 143");
});

test("a program that is killed is reported as killed", async () => {
  const pidFile = join(folder, "pid");
  const log = openSync(join(folder, "log"), "a");
  const guarded = startGuarded({ command: "/bin/sleep", args: ["60"], endSignal: "TERM", log, pidFile });
  await pidIn(pidFile).toBeGreaterThan(0);
  process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL");
  expect(await guarded.exited).toBe("killed by SIGKILL");
});

test("a program does not outlive the process that started it, even when that one is killed without a word", async () => {
  const pidFile = join(folder, "pid");
  const script = join(folder, "parent.mjs");
  const module = JSON.stringify(new URL("./guarded-process.ts", import.meta.url).href);
  const options = `{ command: "/bin/sleep", args: ["60"], endSignal: "TERM", log: openSync("/dev/null", "a"), pidFile: ${JSON.stringify(pidFile)} }`;
  writeFileSync(
    script,
    `import { openSync } from "node:fs";\nconst { startGuarded } = await import(${module});\nstartGuarded(${options});\n`,
  );
  const parent = spawn(process.execPath, [script], { stdio: "ignore" });
  await pidIn(pidFile).toBeGreaterThan(0);
  const pid = Number(readFileSync(pidFile, "utf8"));
  parent.kill("SIGKILL");
  await expect.poll(() => isRunning(pid)).toBe(false);
});
