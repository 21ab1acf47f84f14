import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { SettlementClient } from "#sdk/typescript/src/index.ts";
import { BATCH_SCENARIOS } from "./batch-scenarios.ts";
import { FIAT_SCENARIOS, type FiatOrders, fiatOrders } from "./fiat-scenarios.ts";
import type { Run, Scenario } from "./judges.ts";
import { type OpenProxy, openProxy, type Place } from "./proxy.ts";
import { SCENARIOS } from "./scenarios.ts";
import type { Check } from "./sheet.ts";

export type ClientOptions = {
  /** A command line that settles the order, or pays the batch, that it is given in its environment, and ends with 0. */
  command: string;
  /** What it is given. */
  gets?: keyof typeof SCENARIOS_OF;
  place: Place;
  /** Only these scenarios. */
  only?: readonly string[];
  /** So many at once. */
  atOnce?: number;
  /** The variables of its environment, besides those of the scenario. */
  env: Readonly<Record<string, string | undefined>>;
  /** Ends it, and whatever it has started. */
  signal?: AbortSignal | undefined;
};

const SCENARIOS_OF = { order: SCENARIOS, batch: BATCH_SCENARIOS, fiat: FIAT_SCENARIOS };
const PARTS = { order: "client", batch: "batch client", fiat: "fiat client" } as const;
const LIMIT_MS = 60_000;
type Pair = Awaited<ReturnType<SettlementClient["prices"]["pairs"]>>[number];

/**
 * Runs a client through the scenarios, each against a sandbox behind its own proxy, and judges what it did. Quotes that it did not confirm
 * are cancelled afterwards.
 */
export async function certifyClient(options: ClientOptions): Promise<Check[]> {
  const { place, only, atOnce = 4, gets = "order", signal } = options;
  const wanted = SCENARIOS_OF[gets].filter(({ name }) => only?.includes(name) ?? true);
  const runs = new Map<Scenario, Run>();
  const waiting = [...wanted];
  const client = new SettlementClient(place);
  const pair = waiting.length === 0 ? undefined : (await client.prices.pairs()).find(({ quoting }) => quoting === "up");
  const fiat = pair === undefined || gets !== "fiat" ? null : await fiatOrders(client, pair);
  const work = async () => {
    for (let scenario = waiting.shift(); scenario !== undefined && !signal?.aborted; scenario = waiting.shift()) {
      if (pair === undefined) throw new Error("the sandbox quotes no pair just now");
      const run = await runOnce(scenario, workOf(scenario, pair, { gets, fiat }), { ...options, gets });
      runs.set(scenario, run);
      if (gets === "fiat") continue;
      for (const txId of run.effects.made.keys())
        if (!run.effects.confirmed.has(txId))
          await client[gets === "order" ? "settlements" : "batches"].cancel(txId).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const checks = [...wanted].flatMap((scenario) => {
    const run = runs.get(scenario);
    return run === undefined ? [] : [checkOf(scenario, scenario.judge(run))];
  });
  const { nonces, signatures } = judgeSigning([...runs.values()]);
  const common = [
    checkOf({ name: "signatures", title: "Signs every request correctly", danger: "Nothing works." }, signatures),
    checkOf(
      { name: "nonces", title: "Sends a new nonce with every request, retries included", danger: "A retry is refused as a replay." },
      nonces,
    ),
  ];
  return [...common.filter(({ name }) => only === undefined || only.includes(name)), ...checks].map((check) => ({
    ...check,
    part: PARTS[gets],
  }));
}

function checkOf({ name, title, danger }: Pick<Scenario, "name" | "title" | "danger">, fault: string | null): Omit<Check, "part"> {
  return { name, title, passed: fault === null, reason: fault === null ? "" : `${fault} ${danger}` };
}

async function runOnce(scenario: Scenario, work: Record<string, string>, { command, place, env, signal }: ClientOptions): Promise<Run> {
  let running: ChildProcess | null = null;
  const { interfere, alter, clockOffsetSeconds, limitMs = LIMIT_MS } = scenario;
  const onKill = () => running !== null && kill(running);
  const proxy = await openProxy(place, { interfere, alter, clockOffsetSeconds, onKill });
  try {
    const given = { ...env, ...environmentOf(place, proxy), ...work } as NodeJS.ProcessEnv;
    const exits: (number | null)[] = [];
    for (let time = 0; time < (scenario.isStartedAgain ? 2 : 1); time += 1) {
      const child = spawn(command, { shell: true, env: given, stdio: "ignore", detached: process.platform !== "win32" });
      running = child;
      exits.push(await ended(child, limitMs, signal));
    }
    return { seen: proxy.seen, effects: proxy.effects, exits };
  } finally {
    await proxy.close();
  }
}

/** What the program is to do, as variables of its environment. */
function workOf(
  { kind, order, given }: Scenario,
  pair: Pair,
  { gets, fiat }: { gets: keyof typeof SCENARIOS_OF; fiat: FiatOrders | null },
): Record<string, string> {
  if (fiat !== null) {
    const [KIND, ORDER] = [kind ?? "withdrawal", { ...fiat[kind ?? "withdrawal"], ...order?.(pair) }];
    return { KIND, ORDER: JSON.stringify(ORDER), ORDER_ID: newReference() };
  }
  const asked = { ...orderOf(pair), ...order?.(pair) };
  if (gets === "batch") return batchOf([orderOf(pair), orderOf(pair), asked]);
  return { ORDER: JSON.stringify(asked), ORDER_ID: newReference(), ...given?.(asked) };
}

/** The smallest order that the pair allows. */
function orderOf({ source_currency, destination_currency, chain, minimum_source_amount: source_amount }: Pair): object {
  const external_merchant_id = "certify";
  const wallet_address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  return { source_currency, destination_currency, chain, source_amount, external_merchant_id, wallet_address };
}

function newReference(): string {
  return `certify-${randomUUID()}`;
}

/** The items of a batch, each with a reference, and the batch's own. */
function batchOf(orders: readonly object[]): Record<string, string> {
  const reference = newReference();
  const items = orders.map((order, index) => ({ ...order, external_tx_id: `${reference}-${index + 1}` }));
  return { BATCH: JSON.stringify(items), BATCH_ID: reference };
}

/** A client's environment without its work: the URL and its keys. */
function environmentOf({ apiKey, apiSecret, callbackSecret, callbackUrl }: Place, { url }: OpenProxy): Record<string, string> {
  return {
    SETTLEMENT_URL: url,
    API_KEY: apiKey,
    API_SECRET: apiSecret,
    CALLBACK_SECRET: callbackSecret,
    CALLBACK_URL: callbackUrl,
  };
}

/** Its exit code; null: it was still running when its time was over, or was killed. */
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

const SIGNING = ["missing_credentials", "unknown_api_key", "invalid_nonce", "signature_mismatch"];

/** Rules for every request of every run. */
function judgeSigning(runs: readonly Run[]): { nonces: string | null; signatures: string | null } {
  const seen = runs.flatMap((run) => run.seen).filter(({ operation }) => operation !== "time");
  const nonces = seen.flatMap(({ nonce }) => (nonce === "" || nonce === null ? [] : nonce.toLowerCase()));
  const twice = nonces.find((nonce, index) => nonces.indexOf(nonce) !== index);
  const codes = seen.flatMap(({ code }) => (code !== null && SIGNING.includes(code) ? code : []));
  const mistakes = [...new Set(codes)];
  return {
    nonces: twice === undefined ? null : `It sent the nonce ${twice} twice.`,
    signatures: mistakes.length > 0 ? `It was refused: ${mistakes.join(", ")}.` : seen.length === 0 ? "It sent no request." : null,
  };
}
