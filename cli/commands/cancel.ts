import { only } from "#cli/arguments.ts";
import { clientOf } from "#cli/client.ts";
import { defineCommand } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import { kindOf } from "#cli/id-kind.ts";
import { orderView } from "#cli/order-view.ts";
import { settlementView } from "#cli/settlement-view.ts";

export const cancel = defineCommand({
  name: "cancel",
  summary: "Cancel a settlement that is not yet confirmed, or a withdrawal or top-up of which nothing has moved",
  usage: "ID",
  options: {},
  notes: ["ID begins with tx_ (settlement), wd_ (withdrawal) or tu_ (top-up)."],
  async run({ positionals, out, profile, signal }) {
    const [id = ""] = only(positionals, "ID");
    const kind = kindOf(id, false);
    const client = clientOf(profile());
    if (kind !== "settlement") {
      const order = await (kind === "withdrawal" ? client.withdrawals : client.topups).cancel(id, { signal });
      out.print(order, (paint) => orderView(order, paint));
      return EXIT.done;
    }
    const settlement = await client.settlements.cancel(id, { signal });
    out.print(settlement, (paint) => settlementView(settlement, paint));
    return EXIT.done;
  },
});
