import type { Transfer } from "#domain/transfer.ts";
import type { FindUnowed } from "#server/services/transfers/find-unowed.ts";

/** What a partner has ordered, by the payment's owner. The signer derives payments from it here, instead of from rows. */
type Order = { recipient: string; amountBase: bigint };

/** What somebody wrote into the database, with every right there. `isLifted`: people lift the halts, and look at nothing. */
export type Forgery = { isLifted: boolean };

export type Orders = {
  /** By the payment's owner. */
  orders: Map<string, Order>;
  /** Null: nobody has forged a row. */
  forgery: Forgery | null;
};

/** Whether a row says what was ordered. */
export const isOwed = ({ ownerId, recipient, amountBase }: Transfer, orders: ReadonlyMap<string, Order>) =>
  orders.get(ownerId)?.recipient === recipient && orders.get(ownerId)?.amountBase === amountBase;

/** The signer's derivation: a payment's row is compared with its order. */
export function deriveFrom(orders: ReadonlyMap<string, Order>): FindUnowed {
  return async (_tx, payments) =>
    new Map(
      payments.flatMap((one) => (one.purpose !== "settlement" || isOwed(one, orders) ? [] : [[one.id, "It is not what was ordered."]])),
    );
}
