/**
 * `npm run test:image -- FOLDER` (root, Linux): tests a built image without an engine. FOLDER is its file system, from `buildah mount` or
 * `docker export … | tar x`. Its processes run as with compose.yaml: a read-only image, /tmp in memory, no capabilities, their own users,
 * the environment of the Dockerfile. The test sets it up with its commands, starts two web processes, two workers and the signer, pays a settlement on
 * a local chain, replaces one web process after the other, and audits the books.
 */
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findFreePort } from "#sandbox/free-port.ts";
import { startTemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { runCommand } from "#scripts/command.ts";
import { startTestChain } from "#testing/chain.ts";
import { firstOperatorKey, firstPartner, type LiveService, settle } from "#testing/live-partner.ts";
import { callOverTls, createOwnedDatabase, serveRates } from "#testing/live-stage.ts";
import { gather } from "#testing/stage/child.ts";
import { type ImageMachine, imageMachine } from "./image-machine.ts";
import { balance, CHAIN, CHAIN_ID, setUp } from "./walk-stage.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const LONGEST_MS = 180_000;
const ends: (() => unknown)[] = [];

async function step<Result>(title: string, work: () => Result): Promise<Awaited<Result>> {
  const started = Date.now();
  const result = await work();
  process.stdout.write(`✓ ${title}: ${((Date.now() - started) / 1_000).toFixed(1)} s\n`);
  return result;
}

/** The Dockerfile's environment, with the loopback address, because nothing here may be reachable from elsewhere. */
function imageEnvironment(): Record<string, string> {
  const set = /^ENV (.*)$/m.exec(readFileSync(join(ROOT, "Dockerfile"), "utf8"))?.[1] ?? "";
  const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  return { PATH, ...Object.fromEntries(set.split(" ").map((one) => one.split("=") as [string, string])), HOST: "127.0.0.1" };
}

type Started = { process: ChildProcess; stop(): Promise<number | string> };

/** A process that says when it is ready, and is ended with the walk. */
async function begin(machine: ImageMachine, role: "web" | "worker" | "signer", environment: Record<string, string> = {}): Promise<Started> {
  const child = machine.start(role, environment);
  const { output, exit } = gather(child, 20_000);
  const stop = () => {
    child.kill("SIGTERM");
    return exit;
  };
  ends.push(stop);
  const word = role === "web" ? '"message":"listening"' : `"message":"the ${role} is ready"`;
  for (const deadline = Date.now() + LONGEST_MS; !output().includes(word); await sleep(200)) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`a ${role} does not start:\n${output()}`);
  }
  return { process: child, stop };
}

async function untilReady(origin: string): Promise<void> {
  for (const deadline = Date.now() + LONGEST_MS; ; await sleep(500)) {
    const { status, body } = await callOverTls(origin, "GET", "/ready", {});
    if (status === 200) return;
    if (Date.now() > deadline) throw new Error(`it is not ready: ${body}`);
  }
}

async function walk(folder: string): Promise<void> {
  const server = await startTemporaryPostgres();
  ends.push(() => server.stop());
  const database = await createOwnedDatabase(server.adminUrl);
  const chain = await startTestChain({ blockTimeSeconds: 1 });
  ends.push(() => chain.stop());
  const rates = await serveRates();
  ends.push(() => rates.close());
  const ports = [await findFreePort(), await findFreePort()];
  const { origin, close } = await balance(ports);
  ends.push(close);
  const machine = imageMachine(folder, imageEnvironment());
  ends.push(machine.end);
  await step("It is set up by its commands", () => setUp(machine, { ownerUrl: database.url, chain, rates, origin, secretFiles: false }));
  await chain.call("anvil_setChainId", CHAIN_ID);
  const [first] = await step("Two web processes, two workers and the signer start, and write nothing", async () => {
    const webs = await Promise.all(ports.map((port) => begin(machine, "web", { PORT: String(port) })));
    await begin(machine, "signer");
    await Promise.all([begin(machine, "worker"), begin(machine, "worker")]);
    return webs;
  });
  const live: LiveService = {
    origin,
    ownerUrl: database.url,
    command: (name, args) => machine.tryRun(["settlement-service", name, ...args]),
  };
  const key = await step("Two admins, an operator's key, a partner", async () => await firstPartner(live, await firstOperatorKey(live)));
  await step("It is ready: workers run, and rates are fresh", () => untilReady(origin));
  await step("A settlement is paid on the chain", () => settle(live, key, { chain: CHAIN, reference: "order-1" }));
  await step("A web process drains, ends with 0 and is replaced; another settlement is paid", async () => {
    const code = await first?.stop();
    if (code !== 0) throw new Error(`the web process ended with ${code}`);
    await begin(machine, "web", { PORT: String(ports[0]) });
    await settle(live, key, { chain: CHAIN, reference: "order-2" });
  });
  await step("The books are right", () => machine.run(["settlement-service", "audit"]));
}

await runCommand(async () => {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error("Usage: npm run test:image -- FOLDER");
  try {
    await walk(resolve(folder));
    return 0;
  } finally {
    for (const end of ends.toReversed()) await end();
  }
});
