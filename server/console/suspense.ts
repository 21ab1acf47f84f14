import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import { fromWire, toWire } from "#contract/wire.ts";
import { exactText, parseAmount } from "#domain/money.ts";
import { Refusal } from "#domain/refusal.ts";
import { COIN_PLACES, HOLDERS, isInside, type SuspenseLine } from "#domain/suspense-line.ts";
import { operatorProcedure, router } from "#server/console/trpc/init.ts";
import { bookLoss } from "#server/services/treasury/book-loss.ts";
import { correctEntry } from "#server/services/treasury/correct-entry.ts";
import { declareFunding } from "#server/services/treasury/declare-funding.ts";
import { explainMovement } from "#server/services/treasury/explain-movement.ts";
import { readSuspense } from "#server/services/treasury/read-suspense.ts";

const reason = plainText(8, 1_000);
const chain = plainText(1, 64);
const currency = plainText(1, 16);
const hash = z.string().regex(/^0x[0-9a-fA-F]{64}$/, { error: "must be a transaction's hash" });
const amount = z.string().regex(/^\d{1,40}(\.\d{1,18})?$/, { error: "must be an amount" });
const order = operatorProcedure("administer");

/** Unexplained movements on the chains. Every operator may see them; an admin with a fresh step-up may act on them. */
export const suspenseRouter = router({
  list: operatorProcedure().query(async ({ ctx: { services } }) => {
    const { open, explained, declared, sums } = await readSuspense(services);
    const decimalsOf = (on: string, of: string) => services.chains.find(on)?.tokens.find((token) => token.currency === of)?.decimals ?? 0;
    return {
      count: sums.reduce((total, each) => total + each.count, 0),
      open: open.map(renderLine),
      explained: explained.map(renderLine),
      declared: declared.map(({ amountBase, ...one }) => ({
        ...toWire(one, "proposalId", "chain", "hash", "currency"),
        amount: exactText(amountBase, decimalsOf(one.chain, one.currency)),
      })),
      tokens: services.chains.list().flatMap(({ chain: on, tokens }) => tokens.map((token) => ({ chain: on, currency: token.currency }))),
    };
  }),

  /** `proposed`, here and below: another person has to confirm it. */
  declareFunding: order
    .input(fromWire({ chain, hash, currency, amount, reason }))
    .mutation(async ({ ctx: { services, by }, input: { amount: written, ...input } }) => {
      const token = services.chains.find(input.chain)?.tokens.find((one) => one.currency === input.currency);
      const amountBase = parseAmount(written, token?.decimals ?? 0);
      if (amountBase === null) throw new Refusal("validation_failed", { detail: "The token has fewer decimals." });
      return { proposed: (await declareFunding(services, { by, amountBase, ...input })).result === null };
    }),

  bookLoss: order.input(fromWire({ chain, hash, reason })).mutation(async ({ ctx: { services, by }, input: { hash: lost, ...input } }) => ({
    proposed: (await bookLoss(services, { by, hashes: [lost], ...input })).result === null,
  })),

  explain: order
    .input(fromWire({ chain, hash, place: z.int().min(-32_768).max(32_767), holder: z.enum(HOLDERS), reason }))
    .mutation(async ({ ctx: { services, by }, input }) => ({
      proposed: (await explainMovement(services, { by, ...input })).result === null,
    })),

  correctEntry: order
    .input(fromWire({ entry_id: plainText(1, 64), amount, reason }))
    .mutation(async ({ ctx: { services, by }, input: { amount: written, ...input } }) => ({
      proposed: (await correctEntry(services, { by, written, ...input })).result === null,
    })),
});

function renderLine(line: SuspenseLine) {
  const { amountBase, decimals } = line;
  return {
    ...toWire(line, "chain", "hash", "place", "holder", "direction", "currency", "sender", "recipient", "state", "resolution", "foundAt"),
    amount: exactText(amountBase, decimals),
    /** Of a transaction: its fee, what moved inside contracts in an unknown one (`hash` is its block's), or the movement that it names. */
    part: line.place === COIN_PLACES.fee ? ("fee" as const) : isInside(line) ? ("inside" as const) : ("whole" as const),
  };
}
