import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { type Answer, exchange } from "#sandbox/client/exchange.ts";
import { partnerClient } from "#sandbox/client/partner.ts";
import { readSandboxFile, type SandboxFile } from "#sandbox/client/sandbox-file.ts";
import { findFreePort } from "#sandbox/free-port.ts";
import { newDirectory, type OwnSandbox, removeDirectory, startSandbox } from "../support/start-sandbox.ts";

/** Deployments: web processes and workers beside each other, replaced one after the other while partners go on calling. */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DRAIN_SECONDS = 2;
const CLIENTS = 3;

let directory: string;
let sandbox: OwnSandbox;
const children: ChildProcess[] = [];

test.beforeEach(async () => {
  directory = newDirectory();
  sandbox = await startSandbox(directory);
});
test.afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await sandbox.stop();
  removeDirectory(directory);
});

/** What the sandbox told its own process of that kind, as the system shows it. */
function environmentOf(log: "web" | "worker"): NodeJS.ProcessEnv {
  const text = readFileSync(join(directory, "logs", `${log}.log`), "utf8");
  const pid = Number([...text.matchAll(/"pid":(\d+)/g)].at(-1)?.[1]);
  // The channel to its parent is that process's own.
  const pairs = readFileSync(`/proc/${pid}/environ`, "utf8")
    .split("\0")
    .filter((pair) => pair !== "" && !pair.startsWith("NODE_CHANNEL_"));
  const told = pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
  return { NODE_ENV: "production", ...Object.fromEntries(told) };
}

function launch(script: string, env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(process.execPath, [join(ROOT, script)], { cwd: ROOT, env, stdio: ["ignore", "ignore", "inherit"] });
  children.push(child);
  return child;
}

type Web = { url: string; port: number; child: ChildProcess; ready: boolean };

async function startWeb(port: number): Promise<Web> {
  const env = { ...environmentOf("web"), PORT: String(port), DRAIN_SECONDS: String(DRAIN_SECONDS) };
  const web: Web = { url: `http://127.0.0.1:${port}`, port, child: launch("server/http/main.ts", env), ready: false };
  await expect.poll(() => look(web), { timeout: 120_000 }).toBe(true);
  return web;
}

/** As a balancer asks. */
async function look(web: Web): Promise<boolean> {
  web.ready = await exchange(web.url, { method: "GET", target: "/ready", headers: [] }).then(
    ({ status }) => status === 200,
    () => false,
  );
  return web.ready;
}

/** How it ends when it is told to; one that has ended before by itself has failed. */
async function ended(child: ChildProcess): Promise<number | string | null> {
  if (child.exitCode !== null) return `ended by itself with ${child.exitCode}`;
  child.kill("SIGTERM");
  await once(child, "exit");
  return child.exitCode;
}

test("a rolling restart of two web processes and two workers under load fails no request", async () => {
  const told = readSandboxFile(sandbox.file);
  const webs = [await startWeb(await findFreePort()), await startWeb(await findFreePort())];
  const workers = [launch("server/worker/main.ts", environmentOf("worker")), launch("server/worker/main.ts", environmentOf("worker"))];
  const balancer = { on: true };
  const looking = (async () => {
    for (; balancer.on; await sleep(100)) await Promise.all(webs.map(look));
  })();
  const failed: string[] = [];
  const answered: number[] = [];
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    for (let turn = index; balancer.on; turn += 1) {
      const choice = webs.filter((web) => web.ready);
      const web = choice[turn % choice.length];
      const trouble = web === undefined ? "nobody was ready" : await troubleWith(told, web, turn);
      if (trouble === null) answered.push(turn);
      else failed.push(trouble);
      await sleep(30);
    }
  });
  for (const [index, { child, port }] of [...webs.entries()]) {
    expect(await ended(child)).toBe(0);
    webs[index] = await startWeb(port);
  }
  for (const worker of workers) {
    expect(await ended(worker)).toBe(0);
    launch("server/worker/main.ts", environmentOf("worker"));
  }
  await sleep(500);
  balancer.on = false;
  await Promise.all([looking, ...clients]);
  expect(failed).toEqual([]);
  expect(answered.length).toBeGreaterThan(20);
});

/** null: it was answered. */
async function troubleWith(told: SandboxFile, web: Web, turn: number): Promise<string | null> {
  try {
    const { status, text } = await call(told, web, turn);
    return status < 400 ? null : `${status} ${text}`;
  } catch (error) {
    return String(error);
  }
}

/** Reads and writes by turns. */
async function call(told: SandboxFile, web: Web, turn: number): Promise<Answer> {
  const client = partnerClient(web.url, told.partner);
  if (turn % 2 === 0) return client.get("/api/v1/pairs");
  const [chain] = told.chains;
  return client.post("/api/v1/settlements", {
    source_amount: 100_000,
    source_currency: "KES",
    destination_currency: "USDT",
    external_merchant_id: `rolling-${turn}`,
    chain: chain?.chain,
    wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  });
}

test("the web process is told nothing of who signs", () => {
  expect(environmentOf("web").CHAINS).toContain("rpc_urls");
  expect(JSON.stringify(environmentOf("web"))).not.toMatch(/wallets|key_file|treasury\.key/);
  expect(environmentOf("worker").CHAINS).toContain("key_file");
});
