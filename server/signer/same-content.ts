import { addressKey } from "#domain/address-key.ts";
import { journalOwner, type SignedEntry } from "#domain/journal.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { DerivedPack } from "./derive-pack.ts";

type Content = Pick<SignedEntry, "owner" | "recipient" | "token" | "amountBase">;

const OTHER = "It was signed for something else.";
const textOf = ({ owner, recipient, token, amountBase }: Content) =>
  [owner, addressKey(recipient), token && addressKey(token), amountBase].join(" ");

/** Why what is signed is not the payment of its row; null: it is. */
export function contentFault(entry: Content, transfer: Transfer | undefined): string | null {
  if (transfer === undefined) return "There is no such payment.";
  const { recipient, tokenAddress: token, amountBase } = transfer;
  return textOf(entry) === textOf({ owner: journalOwner(transfer), recipient, token, amountBase }) ? null : OTHER;
}

/** Why a packed transaction is not what its payments come to, all of them in their order; null: it is. */
export function packFault(entry: SignedEntry, derived: DerivedPack): string | null {
  if ("reason" in derived) return derived.reason;
  const { token } = derived.content;
  const textsOf = (whole: Content, members: SignedEntry["members"]) => [
    textOf(whole),
    ...(members ?? []).map((one) => textOf({ ...one, token })),
  ];
  const owed = textsOf({ ...derived.content, owner: entry.owner }, derived.content.members);
  return textsOf(entry, entry.members).join("\n") === owed.join("\n") ? null : OTHER;
}
