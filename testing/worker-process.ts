import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TEST_VAULT_KEYS } from "./callbacks.ts";
import { gather, type Program } from "./stage/child.ts";

/** Real workers and signers for tests, each a process. */

const MAINS = {
  worker: fileURLToPath(new URL("../server/worker/main.ts", import.meta.url)),
  signer: fileURLToPath(new URL("../server/signer/main.ts", import.meta.url)),
};
const started: ChildProcess[] = [];
let folder: string | null = null;

/** The file of the treasury's key, until it is deleted. */
function keyFolder(): string {
  if (folder === null) {
    folder = mkdtempSync(join(tmpdir(), "worker-"));
    writeFileSync(join(folder, "treasury.key"), `0x${randomBytes(32).toString("hex")}\n`);
  }
  return folder;
}

/** A database's journal. */
const journalOf = (databaseUrl: string) =>
  join(keyFolder(), `${createHash("sha256").update(new URL(databaseUrl).pathname).digest("hex")}.log`);

/** To be called in `afterEach`. */
export function killWorkers(): void {
  for (const child of started.splice(0)) child.kill("SIGKILL");
}

/** To be called in `afterAll`. */
export function forgetWorkers(): void {
  if (folder !== null) rmSync(folder, { recursive: true });
  folder = null;
}

const chainOf = (rpcUrl: string) => ({
  chain: "eip155:31337",
  name: "Test chain",
  rpc_urls: [rpcUrl],
  confirmations: 3,
  native: { currency: "ETH", decimals: 18 },
  tokens: [],
  wallets: [{ signer: "sandbox", key_file: join(keyFolder(), "treasury.key") }],
});

export const startWorker = (databaseUrl: string, env?: Record<string, string>) => start("worker", databaseUrl, env);

/** Without one, workers do all but sign and send. */
export const startSigner = (databaseUrl: string, env?: Record<string, string>) => start("signer", databaseUrl, env);

function start(kind: keyof typeof MAINS, databaseUrl: string, env: Record<string, string> = {}): Program {
  const child = spawn(process.execPath, [MAINS[kind]], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "test",
      MODE: "sandbox",
      DATABASE_URL: databaseUrl,
      // Its node is dead: that must not disturb the callbacks.
      CHAINS: JSON.stringify([chainOf("http://127.0.0.1:9")]),
      VAULT_KEYS: TEST_VAULT_KEYS,
      SIGNING_JOURNAL: journalOf(databaseUrl),
      SIGNER_SOCKET: join(keyFolder(), "signer.sock"),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  started.push(child);
  return gather(child);
}

/** The settings of a worker whose chain's node is at that URL. */
export function chainAt(rpcUrl: string): Record<string, string> {
  return { CHAINS: JSON.stringify([chainOf(rpcUrl)]) };
}

export async function readyWorker(databaseUrl: string, env?: Record<string, string>): Promise<Program> {
  const worker = startWorker(databaseUrl, env);
  await new Promise<void>((resolve, reject) => {
    worker.child.once("message", (message) => (message === "ready" ? resolve() : reject(new Error(String(message)))));
    void worker.exit.then((code) => reject(new Error(`exit ${code}: ${worker.output()}`)));
  });
  return worker;
}
