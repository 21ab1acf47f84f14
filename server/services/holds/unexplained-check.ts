import { listUnexplained, type OpenUnexplained } from "#db/queries/transfers/unexplained-payments.ts";
import { exactText } from "#domain/money.ts";
import { type Finding, HELD_PURPOSES } from "#domain/payment-check.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { SigningCheck } from "./check-kinds.ts";

/**
 * Before signing: holds a payment whose recipient was paid the same token by a transaction that the database does not know, and a sweep of a
 * Safe that one of them emptied. After a restore that may be the very payment. Once people have released one payment, only payments of
 * exactly that amount are held.
 */
export const UNEXPLAINED_BEFORE_SIGNING: SigningCheck = {
  check: "unexplained_payment",
  purposes: new Set(HELD_PURPOSES),
  async judge(tx, payments) {
    const [first] = payments;
    if (first === undefined) return new Map();
    const transfers = payments.map(({ transfer }) => transfer);
    const senders = transfers.flatMap((transfer) => safeOf(transfer) ?? []);
    const recipients = transfers.flatMap((transfer) => (safeOf(transfer) === null ? [transfer.recipient.toLowerCase()] : []));
    const found = await listUnexplained(tx, first.transfer.chain, { recipients, senders });
    if (found.length === 0) return new Map();
    return new Map(
      transfers.map((transfer) => [transfer.id, found.filter((one) => concerns(one, transfer)).map((one) => findingOf(one, transfer))]),
    );
  },
};

/** The Safe that a sweep empties. */
function safeOf({ purpose, call }: Transfer): string | null {
  return purpose === "sweep" ? (call?.to?.toLowerCase() ?? null) : null;
}

function concerns({ token, sender, recipient, amountBase, isDecided }: OpenUnexplained, transfer: Transfer): boolean {
  if (token !== (transfer.tokenAddress?.toLowerCase() ?? null)) return false;
  if (isDecided && amountBase !== transfer.amountBase) return false;
  const safe = safeOf(transfer);
  return safe === null ? recipient === transfer.recipient.toLowerCase() : sender === safe;
}

function findingOf({ hash, place, amountBase }: OpenUnexplained, transfer: Transfer): Finding {
  const amount = exactText(amountBase, transfer.tokenDecimals);
  const moved = safeOf(transfer) === null ? "paid this recipient" : "took out of this Safe";
  const words = `Transaction ${hash} already ${moved} ${amount} ${transfer.currency}, and the database does not know for what. It may be this payment.`;
  return { key: `${hash}:${place}`, version: "1", outcome: "hold", dryRun: false, words, facts: { tx_hash: hash, amount } };
}
