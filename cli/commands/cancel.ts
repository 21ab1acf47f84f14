import { only } from "#cli/arguments.ts";
import { clientOf } from "#cli/client.ts";
import { defineCommand } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import { settlementView } from "#cli/settlement-view.ts";

export const cancel = defineCommand({
  name: "cancel",
  summary: "Cancel a settlement that is not yet confirmed",
  usage: "TX_ID",
  options: {},
  async run({ positionals, out, profile, signal }) {
    const [txId = ""] = only(positionals, "TX_ID");
    const settlement = await clientOf(profile()).settlements.cancel(txId, { signal });
    out.print(settlement, (paint) => settlementView(settlement, paint));
    return EXIT.done;
  },
});
