import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { memoryFolder } from "#sandbox/memory-folder.ts";
import { gather } from "#testing/stage/child.ts";

const START = fileURLToPath(new URL("../../scripts/start.ts", import.meta.url));
const READY_WITHIN_MS = 180_000;

export type OwnSandbox = {
  directory: string;
  /** `sandbox.json`, there once it is ready. */
  file: string;
  process: ChildProcess;
  /** Its whole output so far. */
  output(): string;
  /** Settles with the exit code, or the signal that ended it. */
  ended: Promise<number | string>;
  /** Stops it like Ctrl-C, and returns its exit code. */
  stop(): Promise<number | string>;
};

/** Starts a sandbox as `npm start` does, in a separate directory, on a free port, and waits until it is ready. */
export async function startSandbox(directory = newDirectory(), env: Record<string, string> = {}): Promise<OwnSandbox> {
  const sandbox = launch(directory, env);
  const deadline = Date.now() + READY_WITHIN_MS;
  let end: number | string | null = null;
  void sandbox.ended.then((how) => {
    end = how;
  });
  // The file of an earlier run in the same directory is removed first thing; what it prints says that this run is ready.
  while (!(sandbox.output().includes("The sandbox is ready") && existsSync(sandbox.file))) {
    if (end !== null) throw new Error(`the sandbox ended (${end}):\n${sandbox.output()}`);
    if (Date.now() > deadline) {
      await sandbox.stop();
      throw new Error(`the sandbox was not ready in time:\n${sandbox.output()}`);
    }
    await sleep(100);
  }
  return sandbox;
}

export function newDirectory(): string {
  const directory = mkdtempSync(join(memoryFolder() ?? tmpdir(), "settlement-sandbox-"));
  chmodSync(directory, 0o711); // as the sandbox itself makes it: PostgreSQL's own user passes through
  return directory;
}

export function removeDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

function launch(directory: string, env: Record<string, string>): OwnSandbox {
  const child = spawn(process.execPath, [START], {
    env: {
      ...process.env,
      PORT: "0",
      BASE_URL: "",
      DATABASE_URL: "",
      SANDBOX_CHAINS: "evm",
      SANDBOX_HISTORY: "0",
      CHAIN_RPC_URL: "",
      ...env,
      MODE: "sandbox",
      DATA_DIR: directory,
      NODE_OPTIONS: "",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { output, exit: ended } = gather(child);
  const stop = () => {
    child.kill("SIGINT");
    return ended;
  };
  return { directory, file: join(directory, "sandbox.json"), process: child, output, ended, stop };
}
