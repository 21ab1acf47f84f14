import { z } from "zod";
import { instantParameter, plainText, sayingReference } from "#contract/primitives.ts";
import { fromWire, toWire } from "#contract/wire.ts";
import { type Booking, DECLARED_KINDS } from "#domain/booking.ts";
import { exactText, fiatAmount } from "#domain/money.ts";
import { operatorProcedure, router } from "#server/console/trpc/init.ts";
import { bookBankFile, judgeBankFile } from "#server/services/ledger/book-bank-file.ts";
import { declareBookings, listBookings, reverseBooking } from "#server/services/ledger/declare-bookings.ts";
import { readPartnerBalances } from "#server/services/ledger/statement.ts";
import { readFiat } from "./fiat-input.ts";

const owner = { partner_id: plainText(1, 64).nullable() };
/** Why, for the audit log. */
const reason = plainText(8, 1_000);
/** `received_at`: when the money moved, according to the bank or the provider. */
const declaration = fromWire({
  ...owner,
  kind: z.enum(DECLARED_KINDS),
  amount: z.string().max(32),
  currency: plainText(1, 16),
  reference: sayingReference,
  received_at: instantParameter,
  reason,
});
/** A bank's file as it was uploaded; far more than a thousand lines need. */
const text = z.string().max(400_000);

const administer = operatorProcedure("administer");

/** Movements of fiat that people declare: what a partner paid, what a provider took or lost. Null for a partner: the operator's own. */
export const bookingsRouter = router({
  list: operatorProcedure()
    .input(fromWire(owner))
    .query(async ({ ctx: { services }, input: { partnerId } }) => {
      const bookings = await listBookings(services, partnerId);
      const balances = partnerId === null ? [] : await readPartnerBalances(services, partnerId);
      return {
        data: bookings.map(renderBooking),
        balances: balances.map(({ asset, amount }) => ({
          ...toWire(asset, "currency", "chain"),
          amount: exactText(amount < 0n ? -amount : amount, asset.decimals),
          owed_by: amount < 0n ? ("operator" as const) : ("partner" as const),
        })),
      };
    }),

  /** `proposed`: another person has to confirm it. */
  declare: administer.input(declaration).mutation(async ({ ctx: { services, by }, input: { amount, reason: why, ...declared } }) => {
    const item = { ...declared, amountMinor: readFiat(amount, declared.currency), orderId: null };
    const { proposed, bookings } = await declareBookings(services, { by, items: [item], reason: why });
    return { proposed, repeated: bookings.some(({ repeated }) => repeated) };
  }),

  reverse: administer
    .input(fromWire({ id: plainText(1, 64), reason }))
    .mutation(({ ctx: { services, by }, input }) => reverseBooking(services, { by, ...input })),

  /** Every fault of a bank's file by row and column, and what is new in it. */
  judgeFile: administer
    .meta({ reads: true, stepUp: false })
    .input(z.strictObject({ text }))
    .mutation(async ({ ctx: { services }, input }) => {
      const { rows, faults, items, known } = await judgeBankFile(services, input.text);
      const sums = Map.groupBy(items, ({ currency }) => currency);
      return {
        rows,
        faults,
        known,
        fresh: items.length,
        sums: [...sums].map(([currency, same]) => {
          return {
            currency,
            amount: fiatAmount(
              same.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
              currency,
            ),
          };
        }),
      };
    }),

  bookFile: administer
    .input(z.strictObject({ text, reason }))
    .mutation(({ ctx: { services, by }, input }) => bookBankFile(services, { by, ...input })),
});

function renderBooking({ amountMinor, ...booking }: Booking) {
  return {
    ...toWire(booking, "id", "kind", "currency", "reference", "orderId", "receivedAt", "bookedAt", "reversedAt"),
    amount: fiatAmount(amountMinor, booking.currency),
  };
}
