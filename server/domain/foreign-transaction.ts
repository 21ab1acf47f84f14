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
export type PaidDebt = { debt: Transfer; transaction: ForeignTransaction; others: readonly Transfer[] };

/**
 * Which open debts the unknown transactions paid: the same token, recipient and amount, or the very same call. Each payment pays one debt,
 * the oldest of those that are alike first. Where there are fewer payments than debts alike, nobody can tell from the chain which was meant.
 */
export function matchDebts(transactions: readonly ForeignTransaction[], debts: readonly Transfer[]): PaidDebt[] {
  const alike = Map.groupBy(
    debts.toSorted((left, right) => (left.id < right.id ? -1 : 1)),
    (debt) => JSON.stringify(Object.values(intentOf(debt)).map(String)).toLowerCase(),
  );
  return [...alike.values()].flatMap((same) => {
    const [debt] = same;
    if (debt === undefined) return [];
    const payments = transactions.flatMap((transaction) => Array.from({ length: timesPaid(transaction, debt) }, () => transaction));
    const isClear = payments.length >= same.length;
    return same.flatMap((each, index) => {
      const transaction = payments[index];
      return transaction ? [{ debt: each, transaction, others: isClear ? [] : same.filter((other) => other !== each) }] : [];
    });
  });
}

/** How many debts like this one the transaction paid. */
export function timesPaid({ succeeded, intent, logs }: ForeignTransaction, debt: Transfer): number {
  if (!succeeded) return 0;
  if (debt.tokenAddress !== null && debt.call === null) return findPayments(logs, debt).length;
  return isSameIntent(intent, intentOf(debt)) && judgeReceipt(debt, logs).type === "execute" ? 1 : 0;
}

function isSameIntent(left: EvmIntent, right: EvmIntent): boolean {
  const text = ({ to, valueBase, data }: EvmIntent) => `${to ?? ""} ${valueBase} ${data}`.toLowerCase();
  return text(left) === text(right);
}
