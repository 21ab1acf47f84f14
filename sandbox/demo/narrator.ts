import type { z } from "zod";
import { type Answer, exchange } from "#sandbox/client/exchange.ts";
import { type OperatorClient, operatorClient } from "#sandbox/client/partner.ts";
import type { Delivery, Receiver } from "#sandbox/client/receiver.ts";
import { readSandboxFile, type SandboxFile } from "#sandbox/client/sandbox-file.ts";
import { BRAND } from "#sandbox/client/signing.ts";
import { type Callback, SettlementClient, verifyCallback, verifyMirrored } from "#sdk/typescript/src/index.ts";

const DECIMALS = 6;

/** Amounts have at most 15 digits, so that their shortest text is the amount itself. */
export function inBaseUnits(amount: number): bigint {
  const [whole = "0", fraction = ""] = amount.toLocaleString("en-US", { useGrouping: false, maximumFractionDigits: DECIMALS }).split(".");
  return BigInt(whole + fraction.padEnd(DECIMALS, "0"));
}

/** A balance of the test tokens, for people. */
export function tokens(base: bigint, token: string): string {
  const digits = base.toString().padStart(DECIMALS + 1, "0");
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)} ${token}`;
}

const WIDTH = 54;
const isTerminal = process.stdout.isTTY === true;

/** Styles where a person looks on, plain text in a file. */
const styled = (code: number, text: string) => (isTerminal ? `\u001b[${code}m${text}\u001b[0m` : text);

/** One line for the person who watches. */
export function say(line = ""): void {
  process.stdout.write(`${line}\n`);
}

export function heading(text: string): void {
  say();
  say(styled(1, text));
  say();
}

/** What a step showed, under it: aligned names and values. */
export function shown(rows: Record<string, string>): void {
  for (const [name, value] of Object.entries(rows)) say(`      ${styled(2, name.padEnd(20))} ${value}`);
}

let number = 0;

/**
 * Plays one step and says how long it took. What it throws ends the demo: the step is marked, and nothing after it is played.
 */
export async function step<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
  number += 1;
  const label = `  ${String(number).padStart(2)}  ${title.padEnd(WIDTH)}`;
  const startedAt = performance.now();
  const elapsed = () => `${((performance.now() - startedAt) / 1_000).toFixed(2)} s`.padStart(9);
  if (isTerminal) process.stdout.write(label);
  try {
    const result = await work();
    process.stdout.write(isTerminal ? `${elapsed()}  ${styled(32, "ok")}\n` : `${label}${elapsed()}  ok\n`);
    return result;
  } catch (error) {
    process.stdout.write(isTerminal ? `${elapsed()}  ${styled(31, "failed")}\n` : `${label}${elapsed()}  failed\n`);
    throw error;
  }
}

/** What a scene needs of the running sandbox. The partner's program is written with the SDK, as partners' are. */
export type Surroundings = { sandbox: SandboxFile; partner: SettlementClient; operator: OperatorClient };

/** @throws Error with one sentence that says what to do when no sandbox runs. */
export async function findSandbox(): Promise<Surroundings> {
  const sandbox = readSandboxFile();
  await exchange(sandbox.base_url, { method: "GET", target: "/health", headers: [] }).catch((cause: unknown) => {
    throw new Error(`No sandbox answers at ${sandbox.base_url}: start one with "npm start" and leave it running.`, { cause });
  });
  return {
    sandbox,
    partner: new SettlementClient({
      baseUrl: sandbox.base_url,
      apiKey: sandbox.partner.api_key,
      apiSecret: sandbox.partner.api_secret,
      brand: BRAND,
    }),
    operator: operatorClient(sandbox.base_url, sandbox.operator),
  };
}

/** The callback of that number and event, with both signatures valid. */
export async function receiveCallback<Event extends Callback["event"]>(
  { sandbox }: Surroundings,
  receiver: Receiver,
  number: number,
  event: Event,
  patienceMs: number,
): Promise<Callback<Event>["body"]> {
  const delivery: Delivery = await receiver.delivery(number, patienceMs);
  const callback = await verifyCallback(delivery, { callbackSecret: sandbox.partner.callback_secret });
  await verifyMirrored(delivery, { apiSecret: sandbox.partner.api_secret, brand: BRAND });
  insist(isOf(callback, event), `it reports ${callback.event}, not ${event}`);
  return callback.body;
}

function isOf<Event extends Callback["event"]>(callback: Callback, event: Event): callback is Extract<Callback, Callback<Event>> {
  return callback.event === event;
}

/** Parses a good answer with its published schema. */
export function read<Result extends z.ZodType>(operation: { status: number; result: Result }, answer: Answer): z.infer<Result> {
  if (answer.status !== operation.status) throw new Error(`the service answered ${answer.status}: ${answer.text}`);
  return operation.result.parse(JSON.parse(answer.text));
}

/** A condition without which the demo stops. */
export function insist(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}
