import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Part, Running } from "./supervisor.ts";

export type NodePartOptions = {
  name: string;
  /** Absolute. */
  script: string;
  env: NodeJS.ProcessEnv;
  /** Takes what it prints. Left out, it prints where we print. */
  logFile?: string;
  /** An address that answers 200 once it is ready, or the message `ready` over the channel to its parent. */
  ready: { url: string } | "message";
  readyTimeoutMs: number;
  /** Whom it runs as; null: us. */
  identity?: { uid: number; gid: number } | null;
  /** How long it may take to finish what it is doing when told to end. */
  graceMs: number;
};

const LEAVE_WITH_PARENT = new URL("./leave-with-parent.ts", import.meta.url).href;

/** A process of our own code. It ends with us, also when we are killed without a word. */
export function nodePart(options: NodePartOptions): Part {
  return {
    name: options.name,
    start: async (signal) => {
      const child = launch(options);
      const running = watch(child, options.graceMs);
      let exited = false;
      void running.exited.then(() => {
        exited = true;
      });
      try {
        await waitUntilReady(child, options, () => exited || signal.aborted);
      } catch (error) {
        await running.stop();
        throw error;
      }
      if (exited || signal.aborted) {
        await running.stop();
        throw new Error(await running.exited);
      }
      return running;
    },
  };
}

function launch(options: NodePartOptions): ChildProcess {
  const log = options.logFile === undefined ? "inherit" : openSync(options.logFile, "a", 0o600);
  // In a session of its own: Ctrl-C in the terminal reaches us alone, and we end the parts in order.
  const child = spawn(process.execPath, ["--import", LEAVE_WITH_PARENT, options.script], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    env: options.env,
    stdio: ["ignore", log, log, "ipc"],
    detached: true,
    ...(options.identity ?? {}),
  });
  if (typeof log === "number") closeSync(log);
  return child;
}

function watch(child: ChildProcess, graceMs: number): Running {
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal === null ? `exit code ${code}` : `killed by ${signal}`));
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    const force = setTimeout(() => child.kill("SIGKILL"), graceMs);
    await exited;
    clearTimeout(force);
  };
  return { exited, stop };
}

async function waitUntilReady(child: ChildProcess, options: NodePartOptions, givenUp: () => boolean): Promise<void> {
  const deadline = Date.now() + options.readyTimeoutMs;
  let told = false;
  child.on("message", (message) => {
    told ||= message === "ready";
  });
  while (!givenUp()) {
    if (options.ready === "message" ? told : await answersOk(options.ready.url)) return;
    if (Date.now() > deadline) throw new Error(`not ready after ${options.readyTimeoutMs / 1000} s`);
    await sleep(50);
  }
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}
