import { journalOwner, type SignedEntry } from "#domain/journal.ts";
import type { Transfer } from "#domain/transfer.ts";

type Content = Pick<SignedEntry, "owner" | "recipient" | "token" | "amountBase">;

/** Why what is signed is not the payment of its row; null: it is. */
export function contentFault(entry: Content, transfer: Transfer | undefined): string | null {
  if (transfer === undefined) return "There is no such payment.";
  const text = ({ owner, recipient, token, amountBase }: Content) => `${owner} ${`${recipient} ${token}`.toLowerCase()} ${amountBase}`;
  const { recipient, tokenAddress: token, amountBase } = transfer;
  return text(entry) === text({ owner: journalOwner(transfer), recipient, token, amountBase }) ? null : "It was signed for something else.";
}
