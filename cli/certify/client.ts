import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { judgeSigning } from "./judge-signing.ts";
import { type Run, SCENARIOS, type Scenario } from "./scenarios.ts";
import type { Check } from "./sheet.ts";
import { openStandIn, type StandIn } from "./stand-in.ts";
import { ORDER } from "./stand-in-books.ts";

export type ClientOptions = {
  /** A command line that settles the order it is given in its environment, and ends with 0. */
  command: string;
  /** Of these scenarios alone. */
  only?: readonly string[];
  /** So many at once. */
  atOnce?: number;
  /** What it is started with, beside what it is told. */
  env: Readonly<Record<string, string | undefined>>;
  /** Ends it, and whatever it has started. */
  signal?: AbortSignal | undefined;
};

const LIMIT_MS = 40_000;

/** Runs a client through days on which something is wrong, against a stand-in of the service each time, and judges what it did. */
export async function certifyClient({ command, only, atOnce = 4, env, signal }: ClientOptions): Promise<Check[]> {
  const wanted = SCENARIOS.filter(({ name }) => only?.includes(name) ?? true);
  const runs = new Map<Scenario, Run>();
  const waiting = [...wanted];
  const work = async () => {
    for (let scenario = waiting.shift(); scenario !== undefined && !signal?.aborted; scenario = waiting.shift())
      runs.set(scenario, await runOnce(scenario, { command, env, signal }));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const checks = [...wanted].flatMap((scenario) => {
    const run = runs.get(scenario);
    return run === undefined ? [] : [checkOf(scenario, scenario.judge(run))];
  });
  const { nonces, signatures } = judgeSigning([...runs.values()]);
  const common = [
    checkOf({ name: "signatures", title: "Signs every request right", danger: "Nothing works." }, signatures),
    checkOf(
      { name: "nonces", title: "Sends a new nonce with every request, a repeated one too", danger: "A repeat is refused as a replay." },
      nonces,
    ),
  ];
  return [...common.filter(({ name }) => only === undefined || only.includes(name)), ...checks];
}

function checkOf({ name, title, danger }: Pick<Scenario, "name" | "title" | "danger">, fault: string | null): Check {
  return { part: "client", name, title, passed: fault === null, reason: fault === null ? "" : `${fault} ${danger}` };
}

async function runOnce(scenario: Scenario, { command, env, signal }: ClientOptions): Promise<Run> {
  let running: ChildProcess | null = null;
  const { interfere, clockOffsetSeconds = 0, needsApproval = false, limitMs = LIMIT_MS } = scenario;
  const standIn = await openStandIn({
    ...(interfere === undefined ? {} : { interfere }),
    clockOffsetSeconds,
    needsApproval,
    onKill: () => running !== null && kill(running),
  });
  try {
    const told = { ...env, ...environmentOf(standIn, `certify-${randomUUID()}`) } as NodeJS.ProcessEnv;
    const exits: (number | null)[] = [];
    for (let time = 0; time < (scenario.isStartedAgain ? 2 : 1); time += 1) {
      const child = spawn(command, { shell: true, env: told, stdio: "ignore", detached: process.platform !== "win32" });
      running = child;
      exits.push(await ended(child, limitMs, signal));
    }
    return { seen: standIn.seen, books: standIn.books, exits };
  } finally {
    await standIn.close();
  }
}

/** What a client is told: where, who it is, and what to settle. */
function environmentOf({ url, apiKey, apiSecret, callbackSecret }: StandIn, orderId: string): Record<string, string> {
  return {
    SETTLEMENT_URL: url,
    API_KEY: apiKey,
    API_SECRET: apiSecret,
    CALLBACK_SECRET: callbackSecret,
    ORDER_ID: orderId,
    ORDER: JSON.stringify(ORDER),
    CALLBACK_URL: `${url}/nowhere`,
  };
}

/** Its exit code; null: it was still running when its time was over. One that was killed has none, either. */
async function ended(child: ChildProcess, limitMs: number, signal: AbortSignal | undefined): Promise<number | null> {
  return await new Promise((resolve) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      kill(child);
    }, limitMs);
    const callOff = () => kill(child);
    signal?.addEventListener("abort", callOff, { once: true });
    if (signal?.aborted) callOff();
    const end = (code: number | null) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", callOff);
      resolve(isLate ? null : (code ?? 137));
    };
    child.once("error", () => end(127));
    child.once("exit", end);
  });
}

/** With whatever it has started. */
function kill({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
