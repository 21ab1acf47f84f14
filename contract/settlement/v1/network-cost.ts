import { z } from "zod";
import { exactAmount, exactNumber } from "#contract/primitives.ts";
import { type Decimal, powerOfTen } from "#domain/decimal.ts";
import { baseToDecimal, displayDecimals, isPublishable } from "#domain/money.ts";

/** What a chain takes for a payment, about. `isNewHolder` null: not known, and the amount is that for a wallet without the token. */
export type ShownCost<Known extends boolean | null = boolean | null> = {
  amountBase: bigint;
  currency: string;
  decimals: number;
  isNewHolder: Known;
};

const priced = {
  amount: exactAmount(
    "About what the network takes for the payment, in units of currency, as it is now. Nothing of it is taken off the amount",
  ),
  currency: z.string().describe("What the network is paid in, such as ETH, SOL, TRX or the token of the fees"),
};
const newHolder = z
  .boolean()
  .describe("Whether the wallet has none of the token yet. Its account on Solana, or the first transfer to it on Tron, costs more");

/** As a node says it of one wallet. */
export const askedCostSchema = z.object({ ...priced, new_holder: newHolder });

/** As the service knows it without asking. */
export const knownCostSchema = z.object({
  ...priced,
  new_holder: newHolder
    .nullable()
    .describe("As in GET /api/v1/rates/preview. Null if it is not known: the amount is then that for a new holder"),
});

/** Rounded up to what can be written. Null: there is none, or it is beyond what can be written. */
export function writtenCost(cost: ShownCost | null): Decimal | null {
  if (cost === null) return null;
  const { amountBase, decimals } = cost;
  const unit = powerOfTen(decimals - displayDecimals(decimals));
  const written = ((amountBase + unit - 1n) / unit) * unit;
  return isPublishable(written, decimals) ? baseToDecimal(written, decimals) : null;
}

export function renderCost<Known extends boolean | null>(cost: ShownCost<Known> | null) {
  const amount = writtenCost(cost);
  return cost && amount && { amount: exactNumber(amount), currency: cost.currency, new_holder: cost.isNewHolder };
}
