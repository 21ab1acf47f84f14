import { add, decimal, formatDecimal } from "#domain/decimal.ts";
import type { Answers } from "#server/console/router.ts";

/** What the payments of a pair come to. Amounts are exact decimals as texts. */
export type Total = Answers["batches"]["judge"]["totals"][number];

/** The totals of several batches, added up by pair. */
export function sumTotals(totals: readonly Total[]): Total[] {
  const sums = new Map<string, Total>();
  for (const total of totals) {
    const pair = `${total.source_currency} ${total.destination_currency}`;
    const before = sums.get(pair);
    const sum = (name: "source_amount" | "destination_amount" | "platform_fee") =>
      before === undefined ? total[name] : formatDecimal(add(decimal(before[name]), decimal(total[name])));
    const amounts = { source_amount: sum("source_amount"), destination_amount: sum("destination_amount") };
    sums.set(pair, { ...total, ...amounts, platform_fee: sum("platform_fee") });
  }
  return [...sums.values()];
}
