import { type EvmIntent, type EvmLog, findPayments, intentOf, tokenMoveIn } from "./evm-intent.ts";
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

/** `place`: the index of the token's event among the transaction's own logs; -1: the transaction itself. Addresses in lower case. */
export type Movement = { place: number; token: string | null; sender: string; recipient: string; amountBase: bigint };

/** Everything that a transaction of that wallet moved: every token's transfer, and the coin. A reverted one moved nothing. */
export function movementsIn({ succeeded, intent: { to, valueBase }, logs }: ForeignTransaction, wallet: string): Movement[] {
  if (!succeeded) return [];
  const coin = to === null || valueBase === 0n ? [] : [{ place: -1, token: null, sender: wallet, recipient: to, amountBase: valueBase }];
  const tokens = logs.flatMap((log, place) => {
    const move = tokenMoveIn(log);
    if (move === null) return [];
    return [{ place, token: log.address, sender: move.from, recipient: move.to, amountBase: move.amountBase }];
  });
  return [...coin, ...tokens].map(({ token, sender, recipient, ...rest }) => ({
    ...rest,
    token: token?.toLowerCase() ?? null,
    sender: sender.toLowerCase(),
    recipient: recipient.toLowerCase(),
  }));
}

/**
 * An open payment that an unknown transaction seems to have made. `place`: the index of the token's event among the transaction's own logs; null: the
 * transaction itself. `others`: open payments just like it; it may have made one of them instead.
 */
export type PaidTransfer = { payment: Transfer; transaction: ForeignTransaction; place: number | null; others: readonly Transfer[] };

/**
 * Matches unknown transactions with open payments: the same token, recipient and amount, or exactly the same call. Each movement makes one payment,
 * the oldest of equal ones first. With fewer movements than equal payments, the chain does not show which was meant. `proved`: by hash, which
 * of a transaction's movements have proved a payment already.
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
      return placesOf(transaction, payment).flatMap((place) => (spent.includes(place) ? [] : [{ transaction, place }]));
    });
    const isClear = payments.length >= same.length;
    return same.flatMap((each, index) => {
      const made = payments[index];
      return made ? [{ payment: each, ...made, others: isClear ? [] : same.filter((other) => other !== each) }] : [];
    });
  });
}

/** Where the transaction contains such a payment: the positions of the token's events, or null for the transaction itself. */
function placesOf({ succeeded, intent, logs }: ForeignTransaction, payment: Transfer): (number | null)[] {
  if (!succeeded) return [];
  if (payment.tokenAddress !== null && payment.call === null) return findPayments(logs, payment);
  return isSameIntent(intent, intentOf(payment)) && judgeReceipt(payment, logs).type === "execute" ? [null] : [];
}

function isSameIntent(left: EvmIntent, right: EvmIntent): boolean {
  const text = ({ to, valueBase, data }: EvmIntent) => `${to ?? ""} ${valueBase} ${data}`.toLowerCase();
  return text(left) === text(right);
}
