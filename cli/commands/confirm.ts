import { only } from "#cli/arguments.ts";
import { clientOf } from "#cli/client.ts";
import { defineCommand } from "#cli/command.ts";
import { Trouble } from "#cli/exit.ts";
import { notifyAndWait, WAITING } from "#cli/waiting.ts";

export const confirm = defineCommand({
  name: "confirm",
  summary: "Confirm a quote; the service then pays it",
  usage: "TX_ID [--wait]",
  options: {
    "external-tx-id": { type: "string", value: "ID", about: "Your reference (default: derived from TX_ID)" },
    "callback-url": { type: "string", value: "URL", about: "Required if the quote named none" },
    expect: { type: "string", value: "AMOUNT", about: "Refuse with quote_changed if another amount would be delivered" },
    ...WAITING,
  },
  notes: ["Repeating the same confirmation changes nothing. It answers with the settlement's current state."],
  async run({ values, positionals, out, profile, signal }) {
    const [txId = ""] = only(positionals, "TX_ID");
    const { expect } = values;
    if (expect !== undefined && !/^\d+(\.\d+)?$/.test(expect))
      throw new Trouble(`--expect must be an amount such as 77.4, not "${expect}".`);
    const url = values["callback-url"];
    const client = clientOf(profile());
    const body = {
      external_tx_id: values["external-tx-id"] ?? `cli-${txId}`,
      ...(url === undefined ? {} : { callback_url: url }),
      ...(expect === undefined ? {} : { expected_destination_amount: Number(expect) }),
    };
    return await notifyAndWait(client, await client.settlements.confirm(txId, body, { signal }), { values, out, signal });
  },
});
