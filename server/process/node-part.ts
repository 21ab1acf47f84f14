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
  /** How long it may take until it sends `ready` to its parent. */
  readyTimeoutMs: number;
  /** Whom it runs as; null: us. */
  identity?: { uid: number; gid: number } | null;
  /** How long it may take to finish its work after it was asked to stop. */
  graceMs: number;
  /** V8's flags. Left out: {@link SMALL}. */
  flags?: readonly string[];
};

/**
 * By default V8 lets short-lived objects grow to 48 MB before it collects them, and a process grows to twice its size while it starts.
 * Collecting the whole heap earlier (from 24 MB on, after each fifth) would save the web process 25 MB, and cost the hot path a sixth of
 * its CPU. Compiled code is cached: otherwise each start compiles all of it, with a compiler of 30 MB that stays.
 */
export const SMALL = ["--max-semi-space-size=4"];
/** Of a web process: V8's own default. With less, V8 copies the objects of requests under way more often, which costs a fifth of a read's CPU. */
export const WEB = ["--max-semi-space-size=16"];
/** Where processes of our own code keep compiled code. */
export const COMPILED = fileURLToPath(new URL("../../.next/cache/node", import.meta.url));
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
  // In its own session: Ctrl-C in the terminal reaches only this process, which ends its parts in order.
  const child = spawn(process.execPath, [...(options.flags ?? SMALL), "--import", LEAVE_WITH_PARENT, options.script], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    env: { NODE_COMPILE_CACHE: COMPILED, ...options.env },
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
  let reported = false;
  child.on("message", (message) => {
    reported ||= message === "ready";
  });
  while (!givenUp()) {
    if (reported) return;
    if (Date.now() > deadline) throw new Error(`not ready after ${options.readyTimeoutMs / 1000} s`);
    await sleep(50);
  }
}
