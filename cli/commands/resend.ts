import { needed, only } from "#cli/arguments.ts";
import { clientOf } from "#cli/client.ts";
import { defineCommand } from "#cli/command.ts";
import { EXIT, Trouble } from "#cli/exit.ts";
import { table } from "#cli/out.ts";

export const resend = defineCommand({
  name: "resend",
  summary: "Start the six attempts of a callback again, with the same id and body",
  usage: "TX_ID [CALLBACK_ID]",
  options: {},
  notes: [
    "Without CALLBACK_ID, it resends all undelivered callbacks of the settlement.",
    "Resend callbacks of withdrawals and top-ups in the console (Callbacks). The API has no operation for it.",
  ],
  async run({ positionals, out, profile, signal }) {
    const client = clientOf(profile());
    const [txId = "", ...ids] = positionals.length > 1 ? only(positionals, "TX_ID", "CALLBACK_ID") : [needed(positionals[0], "TX_ID")];
    const wanted = ids.length > 0 ? ids : (await client.settlements.get(txId, { signal })).undelivered_callbacks.map(({ id }) => id);
    if (wanted.length === 0)
      throw new Trouble(`No callback of ${txId} is undelivered. Name one ("settle get ${txId} --callbacks" lists them).`, EXIT.refused);
    const resent = [];
    for (const id of wanted) resent.push(await client.settlements.resendCallback(txId, id, { signal }));
    const rows = resent.map(({ id, event, state, callback_url }) => [id, event, state, callback_url]);
    out.print(resent, (paint) => table(["CALLBACK", "EVENT", "STATE", "TO"], rows, paint));
    return EXIT.done;
  },
});
