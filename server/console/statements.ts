import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import { toWire } from "#contract/wire.ts";
import { exactText, fiatAmount, tokenAmount } from "#domain/money.ts";
import { MONTH, type OurRow } from "#domain/month-statement.ts";
import { Refusal } from "#domain/refusal.ts";
import { mayLag, personProcedure, router } from "#server/console/trpc/init.ts";
import { COMPARED_PART, findOwnRows, listExecuted, readMonth } from "#server/services/transactions/read-month.ts";

const month = { month: z.string().regex(MONTH, { error: "must be a month" }), partner_id: z.uuid().nullable() };
const place = z.strictObject({ ended_at: z.iso.datetime({ precision: 3 }), id: plainText(1, 64) });

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

  /** A query that carries a part of a file: it changes nothing. */
  named: personProcedure
    .meta({ stepUp: false, reads: true })
    .input(z.strictObject({ ...month, names: z.array(plainText(1, 128)).min(1).max(COMPARED_PART) }))
    .mutation(async ({ ctx: { services, holder }, input }) => {
      const partnerId = whose(holder.partnerId, input.partner_id);
      return { data: (await findOwnRows(services, { partnerId, month: input.month, names: input.names })).map(renderRow) };
    }),

  /** What was paid out in the month, part after part. */
  executed: personProcedure
    .use(mayLag)
    .input(z.strictObject({ ...month, after: place.nullable() }))
    .query(async ({ ctx: { services, holder }, input }) => {
      const partnerId = whose(holder.partnerId, input.partner_id);
      const after = input.after && { id: input.after.id, endedAt: new Date(input.after.ended_at) };
      const { rows, of, next } = await listExecuted(services, { partnerId, month: input.month, after });
      return { data: rows.map(renderRow), of, next: next && toWire(next, "endedAt", "id") };
    }),
});

/** A partner's people see their own month only. */
function whose(own: string | null, asked: string | null): string {
  const partnerId = own ?? asked;
  if (partnerId === null)
    throw new Refusal("validation_failed", { errors: [{ pointer: "/partner_id", code: "required", message: "must be named" }] });
  return partnerId;
}

/** `minor`: the source amount in the smallest unit. */
function renderRow(row: OurRow) {
  return { ...toWire(row, "id", "externalTxId", "status", "currency", "isInMonth"), minor: row.minor.toString() };
}
