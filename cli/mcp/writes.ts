import { z } from "zod";
import { bringAbout } from "#cli/bring-about.ts";
import { clientOf } from "#cli/client.ts";
import { Trouble } from "#cli/exit.ts";
import { findOutcome, OUTCOME_NAMES } from "#cli/outcomes.ts";
import { Refused, type Settlement } from "#sdk/typescript/src/index.ts";
import { OUTPUTS } from "./outputs.ts";
import { said } from "./reads.ts";
import { shellWord } from "./shell-word.ts";
import { defineTool, isLive, ONLY_PROPOSED, type Surroundings, type Tool } from "./tool.ts";

/** Without control characters: the answer may be pasted into a terminal. */
const text = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^\P{Cc}*$/u, "contains control characters");
const txId = text(64).describe("The settlement's id, tx_…");
const intent = text(100).describe("Your order's number. Repeating a call with the same intent does not create another order.");
/** Clients of this protocol give up after a minute. */
const PATIENCE_MS = 45_000;

/**
 * Tools that change something, in a sandbox. In live mode, or if the service does not say that it is a sandbox, they create quotes at most,
 * which promise a price and pay nothing. Anything that would pay, or cancel a quote, returns a proposal for a person.
 */
export const WRITES: readonly Tool[] = [
  defineTool({
    name: "quote",
    title: "Get a quote",
    description: "Creates a settlement with a guaranteed price. No money moves. It lapses unless it is confirmed.",
    does: "write",
    input: {
      intent,
      source_amount: z.int().min(1).describe("Minor units (cents) of the source currency"),
      source_currency: text(16),
      destination_currency: text(16),
      chain: text(64).describe("CAIP-2, as in list_pairs"),
      wallet_address: text(128),
      external_merchant_id: text(128),
      callback_url: text(2_048).optional(),
    },
    output: OUTPUTS.settlement,
    run: async ({ intent: order, ...body }, { client, signal }) =>
      await client.settlements.create(said(body), { intent: `mcp ${order}`, signal }),
  }),
  defineTool({
    name: "confirm",
    title: "Confirm a quote",
    description:
      "In a sandbox, confirms the quote, and the payment follows. In live mode, pays nothing, and returns a proposal for a person.",
    does: "destroy",
    input: {
      tx_id: txId,
      external_tx_id: text(128).optional().describe("Your reference (default: derived from tx_id)"),
      callback_url: text(2_048).optional().describe("Required if the quote named none"),
      expected_destination_amount: z.number().positive().optional(),
    },
    output: OUTPUTS.settlementOrProposal,
    run: async ({ tx_id, ...rest }, surroundings) => {
      const { client, signal } = surroundings;
      const body = said({ ...rest, external_tx_id: rest.external_tx_id ?? `mcp-${tx_id}` });
      if (await isLive(surroundings)) {
        const settlement = await client.settlements.get(tx_id, { signal });
        return proposal(surroundings, settlement, "confirm", { ...body, expected_destination_amount: settlement.destination_amount });
      }
      return await client.settlements.confirm(tx_id, body, { signal });
    },
  }),
  defineTool({
    name: "cancel",
    title: "Cancel a settlement",
    description:
      "In a sandbox, cancels a settlement that is not confirmed. In live mode, changes nothing, and returns a proposal for a person.",
    does: "destroy",
    input: { tx_id: txId },
    output: OUTPUTS.settlementOrProposal,
    run: async ({ tx_id }, surroundings) => {
      const { client, signal } = surroundings;
      if (!(await isLive(surroundings))) return await client.settlements.cancel(tx_id, { signal });
      return proposal(surroundings, await client.settlements.get(tx_id, { signal }), "cancel", {});
    },
  }),
  defineTool({
    name: "trigger",
    title: "Produce an outcome",
    description: "Sandbox only: quotes, confirms and waits until a settlement reaches the requested outcome.",
    does: "destroy",
    input: {
      outcome: z.enum(OUTCOME_NAMES),
      intent,
      source_currency: text(16).default("KES"),
      destination_currency: text(16).default("USDT"),
    },
    output: OUTPUTS.outcome,
    run: triggerOutcome,
  }),
];

/** What a person decides: whom it pays and how much, where it is seen, and how it is done. Nothing of it has happened. */
function proposal(
  { profile }: Surroundings,
  settlement: Settlement,
  action: "confirm" | "cancel",
  body: Record<string, string | number>,
): object {
  const { tx_id, source_amount, source_currency, destination_amount, destination_currency } = settlement;
  const { chain, wallet_address, external_merchant_id, expires_at } = settlement;
  const options = Object.entries({
    "--external-tx-id": body.external_tx_id,
    "--callback-url": body.callback_url,
    "--expect": body.expected_destination_amount,
  }).flatMap(([name, value]) => (value === undefined ? [] : [name, shellWord(String(value))]));
  return {
    proposal: {
      done: false,
      action,
      tx_id,
      pays: { destination_amount, destination_currency, wallet_address, chain },
      takes: { source_amount, source_currency, external_merchant_id },
      expires_at,
      body,
      why: ONLY_PROPOSED,
      look_at: `${profile.base_url}/console/settlements/${encodeURIComponent(tx_id)}`,
      a_person_runs: ["npx settle", action, shellWord(tx_id), ...options].join(" "),
    },
  };
}

type TriggerInput = { outcome: string; intent: string; source_currency: string; destination_currency: string };

async function triggerOutcome(input: TriggerInput, surroundings: Surroundings): Promise<object> {
  const { profile, signal } = surroundings;
  if (await isLive(surroundings))
    throw new Trouble("This service is live, or does not say that it is a sandbox. The tool works only in a sandbox.");
  const outcome = findOutcome(input.outcome);
  if (outcome === null || profile.sandbox === null)
    throw new Trouble('Run "npx settle login --sandbox" first: the profile does not know the sandbox.');
  const client = clientOf(profile, outcome.refusal === undefined ? {} : { attempts: 1 });
  const pair = (await client.prices.pairs({ signal })).find(
    (each) => each.source_currency === input.source_currency && each.destination_currency === input.destination_currency,
  );
  if (pair === undefined) throw new Trouble(`${input.source_currency} to ${input.destination_currency} cannot be quoted.`);
  const places = profile.sandbox;
  const world = { client, operatorKey: places.operator_key, baseUrl: profile.base_url, note: () => {}, timeoutMs: PATIENCE_MS, signal };
  const order = { pair, wallet: outcome.wallet(places), url: `${places.receivers_url}/well`, reference: `mcp-${input.intent}` };
  const end = await bringAbout(world, outcome, order);
  return end instanceof Refused ? { as_asked_for: { status: end.status, code: end.code, detail: end.detail } } : end;
}
