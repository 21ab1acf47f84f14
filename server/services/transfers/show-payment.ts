import { exactText } from "#domain/money.ts";
import type { Transfer } from "#domain/transfer.ts";

/** What a payment is, in wire names, for a proposal about it: what people read is what they confirm. */
export function showPayment({ id, ownerId, amountBase, tokenDecimals, currency, recipient }: Transfer) {
  return { transfer_id: id, owner_id: ownerId, amount: exactText(amountBase, tokenDecimals), currency, recipient };
}
