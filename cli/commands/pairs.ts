import { only } from "#cli/arguments.ts";
import { clientOf } from "#cli/client.ts";
import { defineCommand } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import { table } from "#cli/out.ts";

export const pairs = defineCommand({
  name: "pairs",
  summary: "List the pairs that you can quote: currencies, chains, limits, fee, and whether quoting is up",
  usage: "",
  options: {},
  async run({ positionals, out, profile, signal }) {
    only(positionals);
    const found = await clientOf(profile()).prices.pairs({ signal });
    out.print(found, (paint) =>
      table(
        ["FROM", "TO", "CHAIN", "MINIMUM", "MAXIMUM", "FEE", "QUOTING"],
        found.map((pair) => [
          pair.source_currency,
          pair.destination_currency,
          pair.chain,
          pair.minimum_source_amount,
          pair.maximum_source_amount,
          pair.platform_fee,
          pair.quoting,
        ]),
        paint,
      ),
    );
    out.note("Minimum and maximum are in minor units (cents). Above the maximum an admin must approve.");
    return EXIT.done;
  },
});
