import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import { toWire } from "#contract/wire.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { decimal, floorToUnits, formatDecimal } from "#domain/decimal.ts";
import { exactText, fiatAmount, tokenAmount } from "#domain/money.ts";
import { MONTH, type OurRow, type OwnRow, type RowDifference } from "#domain/month-statement.ts";
import { Refusal } from "#domain/refusal.ts";
import { mayLag, personProcedure, router } from "#server/console/trpc/init.ts";
import { compareMonth, MOST_COMPARED, readMonth } from "#server/services/transactions/read-month.ts";

const month = { month: z.string().regex(MONTH, { error: "must be a month" }), partner_id: z.uuid().nullable() };
const ownRow = z.strictObject({
  reference: plainText(1, 128),
  amount: z.string().regex(/^\d{1,16}(\.\d{1,6})?$/, { error: "must be a plain decimal" }),
  currency: z.string().regex(/^[A-Z]{3}$/, { error: "must be a currency" }),
});

/** A partner's month: for its own people, and for an operator any partner's. */
export const statementsRouter = router({
  month: personProcedure
    .use(mayLag)
    .input(z.strictObject(month))
    .query(async ({ ctx: { services, holder }, input }) => {
      const found = await readMonth(services, { partnerId: whose(holder.partnerId, input.partner_id), month: input.month });
      return {
        accounts: found.accounts.map(({ asset, opening, closing }) => ({
          ...toWire(asset, "currency", "chain"),
          opening: exactText(opening, asset.decimals),
          closing: exactText(closing, asset.decimals),
        })),
        days: found.days.map(({ sourceMinor, grossBase, feeBase, netBase, ...day }) => ({
          ...toWire(day, "day", "sourceCurrency", "destinationCurrency", "executed", "failed"),
          source: fiatAmount(sourceMinor, day.sourceCurrency),
          gross: tokenAmount(grossBase, day.tokenDecimals),
          fee: tokenAmount(feeBase, day.tokenDecimals),
          net: tokenAmount(netBase, day.tokenDecimals),
        })),
        ties: found.ties.map(({ currency, settled, posted }) => ({
          currency,
          settled: fiatAmount(settled, currency),
          posted: fiatAmount(posted, currency),
          same: settled === posted,
        })),
      };
    }),

  /** A query that carries a file: it changes nothing. */
  compare: personProcedure
    .meta({ stepUp: false })
    .input(z.strictObject({ ...month, rows: z.array(ownRow).min(1).max(MOST_COMPARED) }))
    .mutation(async ({ ctx: { services, holder }, input }) => {
      const rows = input.rows.map(
        ({ reference, amount, currency }): OwnRow => ({ name: reference, minor: minorOf(amount, currency), currency }),
      );
      const compared = await compareMonth(services, { partnerId: whose(holder.partnerId, input.partner_id), month: input.month, rows });
      return { executed: compared.executed, is_partial: compared.isPartial, differences: compared.differences.map(renderDifference) };
    }),
});

/** A partner's people see their own month only. */
function whose(own: string | null, asked: string | null): string {
  const partnerId = own ?? asked;
  if (partnerId === null)
    throw new Refusal("validation_failed", { errors: [{ pointer: "/partner_id", code: "required", message: "must be named" }] });
  return partnerId;
}

/** Finer than the currency's smallest unit is never equal: it is rounded up, away from any amount of ours. */
function minorOf(amount: string, currency: string): bigint {
  const exponent = findFiatCurrency(currency)?.exponent ?? 2;
  const units = floorToUnits(decimal(amount), exponent);
  return formatDecimal({ coefficient: units, scale: exponent }) === formatDecimal(decimal(amount)) ? units : -1n;
}

function renderDifference({ kind, name, ours, own }: RowDifference) {
  return {
    kind,
    reference: name,
    ours: ours && renderRow(ours),
    tx_id: ours?.id ?? null,
    status: ours?.status ?? null,
    own: own && (own.minor < 0n ? null : { amount: fiatAmount(own.minor, own.currency), currency: own.currency }),
  };
}

function renderRow({ minor, currency }: OurRow) {
  return { amount: fiatAmount(minor, currency), currency };
}
