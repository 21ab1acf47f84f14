import { type EvmIntent, type EvmLog, findPayments, intentOf } from "./evm-intent.ts";
import type { Transfer } from "./transfer.ts";
import { judgeReceipt } from "./transfer-proof.ts";

/** A transaction that one of our wallets made and that this database does not know: a lost one of ours, a second signer's or a thief's. */
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
 * Which open debts the unknown transactions paid: the same token, recipient and amount, or the very same call. Each payment pays one debt,
 * the oldest of those that are alike first. Where there are fewer payments than debts alike, nobody can tell from the chain which was meant.
 * `proved`: by hash, which of a transaction's payments have proved a debt already.
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

/** Where the transaction shows payments of a debt like this one: the places of the token's words, or null for the transaction itself. */
function placesOf({ succeeded, intent, logs }: ForeignTransaction, payment: Transfer): (number | null)[] {
  if (!succeeded) return [];
  if (payment.tokenAddress !== null && payment.call === null) return findPayments(logs, payment);
  return isSameIntent(intent, intentOf(payment)) && judgeReceipt(payment, logs).type === "execute" ? [null] : [];
}

function isSameIntent(left: EvmIntent, right: EvmIntent): boolean {
  const text = ({ to, valueBase, data }: EvmIntent) => `${to ?? ""} ${valueBase} ${data}`.toLowerCase();
  return text(left) === text(right);
}
