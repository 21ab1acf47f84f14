import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { deleteRate, saveFixedRate } from "#db/queries/rates/exchange-rates.ts";
import { pairIsKnown } from "#db/queries/rates/pair-terms.ts";
import { type By, refuseUnlessOperator } from "#domain/access.ts";
import { type Decimal, formatDecimal } from "#domain/decimal.ts";
import { isQuotable } from "#domain/quote.ts";
import type { CurrencyPair } from "#domain/rate.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { refuseInLiveMode } from "#server/services/maintenance/clock.ts";

export type SetFixedRate = CurrencyPair & {
  by: By;
  /** The mid rate: destination units per one major unit of the source. null removes the pair's rate: nobody can quote it. */
  rate: Decimal | null;
};
export type FixedRate = CurrencyPair & { rate: Decimal | null; asOf: Date };

/**
 * Sets the sandbox's mid rate of a pair on every chain, until it is set again. Existing quotes keep their price.
 *
 * @throws Refusal `route_not_found` in live mode, `forbidden`, `unsupported_pair` for currencies that no pair has, `validation_failed` for
 * a rate that is not above zero or cannot be published.
 */
export async function setFixedRate(ctx: Uses<"db" | "clock" | "mode">, command: SetFixedRate): Promise<FixedRate> {
  refuseInLiveMode(ctx);
  const { by, rate, sourceCurrency, destinationCurrency } = command;
  refuseUnlessOperator(by.actor, "administer");
  if (rate !== null && !isQuotable(rate, 0)) {
    throw new Refusal("validation_failed", { errors: [{ pointer: "/rate", code: "out_of_range", message: "must be a price above zero" }] });
  }
  const pair = { sourceCurrency, destinationCurrency };
  const asOf = ctx.clock.now();
  return await ctx.db.transaction(async (tx) => {
    if (!(await pairIsKnown(tx, pair))) throw new Refusal("unsupported_pair", { detail: "No pair has these two currencies." });
    if (rate === null) await deleteRate(tx, pair);
    else await saveFixedRate(tx, { ...pair, midRate: rate, source: "fixed", asOf });
    await insertAuditEntry(tx, {
      by,
      partnerId: null,
      action: rate === null ? "exchange_rate.removed" : "exchange_rate.fixed",
      objectId: `${sourceCurrency}/${destinationCurrency}`,
      change: {
        source_currency: sourceCurrency,
        destination_currency: destinationCurrency,
        rate: rate === null ? null : formatDecimal(rate),
      },
    });
    return { ...pair, rate, asOf };
  });
}
