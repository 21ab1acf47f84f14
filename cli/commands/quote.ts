import { randomUUID } from "node:crypto";
import { needed, only, wholeNumber } from "#cli/arguments.ts";
import { clientOf } from "#cli/client.ts";
import { defineCommand } from "#cli/command.ts";
import { EXIT, Trouble } from "#cli/exit.ts";
import { settlementView } from "#cli/settlement-view.ts";
import type { Pair } from "#sdk/typescript/src/index.ts";

export const quote = defineCommand({
  name: "quote",
  summary: "Create a settlement and get its quote; no money moves",
  usage: "--amount MINOR_UNITS --from KES --to USDT --wallet ADDRESS",
  options: {
    amount: { type: "string", value: "NUMBER", about: "Amount to take, in minor units of the source currency" },
    from: { type: "string", value: "CURRENCY", about: "Source currency, ISO 4217" },
    to: { type: "string", value: "CURRENCY", about: "Destination currency" },
    wallet: { type: "string", value: "ADDRESS", about: "Address to pay to" },
    chain: { type: "string", value: "CAIP2", about: "Required only if the pair is paid on several chains" },
    merchant: { type: "string", value: "ID", default: "merchant-1", about: "external_merchant_id (merchant-1)" },
    "callback-url": { type: "string", value: "URL", about: "Receives callbacks about an approval and about the end" },
    intent: { type: "string", value: "ORDER", about: "Your order's number; repeating it returns the same quote" },
  },
  notes: ["The idempotency key is derived from the intent. Without an intent, each run creates a new quote."],
  async run({ values, positionals, out, profile, signal }) {
    only(positionals);
    const source_amount = wholeNumber(needed(values.amount, "--amount"), "--amount", [1, Number.MAX_SAFE_INTEGER]);
    const from = needed(values.from, "--from");
    const to = needed(values.to, "--to");
    const wallet_address = needed(values.wallet, "--wallet");
    const client = clientOf(profile());
    const chain = values.chain ?? onlyChain(await client.prices.pairs({ signal }), from, to);
    const callback = values["callback-url"] === undefined ? {} : { callback_url: values["callback-url"] };
    const intent = values.intent ?? `cli-${randomUUID()}`;
    const body = {
      source_amount,
      source_currency: from,
      destination_currency: to,
      external_merchant_id: values.merchant,
      chain,
      wallet_address,
    };
    const settlement = await client.settlements.create({ ...body, ...callback }, { intent, signal });
    out.print(settlement, (paint) => settlementView(settlement, paint));
    out.note(
      settlement.approval_state === "pending"
        ? `\nIt is above the pair's maximum. An admin must approve it before "settle confirm ${settlement.tx_id}".`
        : `\nNext: settle confirm ${settlement.tx_id}${settlement.callback_url === null ? " --callback-url URL" : ""}`,
    );
    return EXIT.done;
  },
});

function onlyChain(pairs: readonly Pair[], from: string, to: string): string {
  const chains = pairs.filter((pair) => pair.source_currency === from && pair.destination_currency === to).map(({ chain }) => chain);
  const [chain] = chains;
  if (chain === undefined) throw new Trouble(`${from} to ${to} cannot be quoted. "settle pairs" lists the pairs that can.`, EXIT.refused);
  if (chains.length > 1) throw new Trouble(`${from} to ${to} is paid on several chains. Name one of ${chains.join(", ")} with --chain.`);
  return chain;
}
