import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { readSandboxFile, type SandboxFile } from "#sandbox/client/sandbox-file.ts";
import { newDirectory, type OwnSandbox, removeDirectory, startSandbox } from "../support/start-sandbox.ts";

const PARTS = ["The web process", "The worker process", "The signer", "PostgreSQL", "The local chain"] as const;
type PartName = (typeof PARTS)[number];

test.setTimeout(600_000);

/** One sandbox for all of them; each test continues where the one before ended. */
let directory: string;
let sandbox: OwnSandbox;
let announced: SandboxFile;

test.beforeAll(async () => {
  directory = newDirectory();
  sandbox = await startSandbox(directory);
  announced = readSandboxFile(sandbox.file);
});
test.afterAll(async () => {
  await sandbox.stop();
  removeDirectory(directory);
});

/** Its log names the process: of a line, the newest that a pattern finds. */
function newest(log: string, pattern: RegExp): number {
  const found = [...readFileSync(join(directory, "logs", `${log}.log`), "utf8").matchAll(pattern)].at(-1)?.[1];
  return Number(found ?? 0);
}

function processOf(part: PartName): number {
  if (part === "PostgreSQL") return Number(readFileSync(postmasterFile(), "utf8").split("\n")[0]);
  if (part === "The local chain") return Number(readFileSync(join(directory, "chain.pid"), "utf8"));
  const logs = { "The web process": "web", "The worker process": "worker", "The signer": "signer" };
  return newest(logs[part], /"pid":(\d+)/g);
}

function postmasterFile(): string {
  return join(directory, "postgres", "postmaster.pid");
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("a second copy says in one sentence why it cannot start", async () => {
  const { port } = new URL(announced.base_url);
  await expect(startSandbox(directory)).rejects.toThrow(
    /Another sandbox \(process \d+\) is running on .*: stop it, or choose another with DATA_DIR/,
  );
  const other = newDirectory();
  try {
    await expect(startSandbox(other, { PORT: port })).rejects.toThrow(
      /Port \d+ is in use by another program: stop that one, or choose another port/,
    );
    await expect(startSandbox("/proc/nowhere")).rejects.toThrow(/The data directory \/proc\/nowhere cannot be written/);
  } finally {
    removeDirectory(other);
  }
  expect((await fetch(`${announced.base_url}/health`)).status).toBe(200);
});

test("only the signer knows where the keys are", () => {
  const environmentOf = (part: PartName) =>
    readFileSync(`/proc/${processOf(part)}/environ`, "utf8")
      .split("\0")
      .join("\n");
  for (const part of ["The web process", "The worker process"] as const) {
    expect(environmentOf(part)).toContain("rpc_urls");
    expect(environmentOf(part)).not.toMatch(/wallets|key_file|treasury\.key/);
  }
  expect(environmentOf("The signer")).toContain("key_file");
});

test("every part that is killed is said and started again", async () => {
  for (const part of PARTS) {
    const pid = processOf(part);
    expect(isRunning(pid), `${part} runs as ${pid}`).toBe(true);
    process.kill(pid, "SIGKILL");
    await expect
      .poll(() => sandbox.output(), { message: part, timeout: 30_000 })
      .toContain(`${part} ended (killed by SIGKILL): starting it again.`);
    await expect.poll(() => sandbox.output(), { message: part, timeout: 30_000 }).toContain(`${part} is ready again.`);
    await expect.poll(async () => (await fetch(`${announced.base_url}/health`)).status).toBe(200);
  }
});

test("nothing is left running after a SIGKILL of the supervisor, nor after a stop, and the start in between has the same keys", async () => {
  const parts = PARTS.map(processOf);
  sandbox.process.kill("SIGKILL");
  await expect.poll(() => parts.filter(isRunning), { timeout: 20_000 }).toEqual([]);
  sandbox = await startSandbox(directory);
  const { partner, second_partner, operator, users, treasury } = readSandboxFile(sandbox.file);
  expect({ partner, second_partner, operator, users, treasury }).toEqual({
    partner: announced.partner,
    second_partner: announced.second_partner,
    operator: announced.operator,
    users: announced.users,
    treasury: announced.treasury,
  });
  const after = PARTS.map(processOf);
  expect(await sandbox.stop()).toBe(0);
  expect(after.filter(isRunning)).toEqual([]);
});
