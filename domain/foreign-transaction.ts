import { type EvmIntent, type EvmLog, findPayments, intentOf } from "./evm-intent.ts";
import type { Transfer } from "./transfer.ts";
import { judgeReceipt } from "./transfer-proof.ts";

/** A transaction of one of our wallets that this database does not know: a lost one of ours, a second signer's or a thief's. */
export type ForeignTransaction = {
  nonce: number;
  hash: string;
  height: number;
  succeeded: boolean;
  intent: EvmIntent;
  logs: readonly EvmLog[];
};

/** A debt that an unknown transaction seems to have paid. `others`: debts just like it, of which it may have paid one instead. */
export type PaidTransfer = { payment: Transfer; transaction: ForeignTransaction; others: readonly Transfer[] };

/**
 * Matches unknown transactions with open debts: the same token, recipient and amount, or exactly the same call. Each payment pays one debt,
 * the oldest of equal ones first. With fewer payments than equal debts, the chain does not show which was meant. `proved`: by hash, which
 * of a transaction's payments have proved a debt already.
 */
export function matchPayments(
  transactions: readonly ForeignTransaction[],
  payments: readonly Transfer[],
  proved: ReadonlyMap<string, readonly (number | null)[]> = new Map(),
): PaidTransfer[] {
  const alike = Map.groupBy(
    payments.toSorted((left, right) => (left.id < right.id ? -1 : 1)),
    (payment) => JSON.stringify(Object.values(intentOf(payment)).map(String)).toLowerCase(),
  );
  return [...alike.values()].flatMap((same) => {
    const [payment] = same;
    if (payment === undefined) return [];
    const payments = transactions.flatMap((transaction) => {
      const spent = proved.get(transaction.hash) ?? [];
      return placesOf(transaction, payment).flatMap((place) => (spent.includes(place) ? [] : [transaction]));
    });
    const isClear = payments.length >= same.length;
    return same.flatMap((each, index) => {
      const transaction = payments[index];
      return transaction ? [{ payment: each, transaction, others: isClear ? [] : same.filter((other) => other !== each) }] : [];
    });
  });
}

/** Where the transaction contains payments of such a debt: the positions of the token's events, or null for the transaction itself. */
function placesOf({ succeeded, intent, logs }: ForeignTransaction, payment: Transfer): (number | null)[] {
  if (!succeeded) return [];
  if (payment.tokenAddress !== null && payment.call === null) return findPayments(logs, payment);
  return isSameIntent(intent, intentOf(payment)) && judgeReceipt(payment, logs).type === "execute" ? [null] : [];
}

function isSameIntent(left: EvmIntent, right: EvmIntent): boolean {
  const text = ({ to, valueBase, data }: EvmIntent) => `${to ?? ""} ${valueBase} ${data}`.toLowerCase();
  return text(left) === text(right);
}
