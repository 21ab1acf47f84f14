import type { TreasuryWithdrawalState } from "#domain/treasury-withdrawal.ts";

export const WITHDRAWALS = {
  title: "Treasury withdrawals",
  explained:
    "Crypto that the operator takes out of its own wallets. Two different admins sign each one with a passkey, and the signer verifies both signatures and the destination before it pays.",
  caption: "Treasury withdrawals, newest first",
  none: "Nothing was taken out",
  noneMore: "An admin proposes a withdrawal, and two sign it.",
  noPlace: "The settings name no destination, so nothing can be proposed.",
  propose: "Propose a withdrawal",
  sender: "wallet",
  destination: "destination",
  states: {
    proposed: "Waits for signatures",
    owed: "Being paid",
    paid: "Paid",
    unpaid: "Not paid",
    rejected: "Rejected",
  } satisfies Record<TreasuryWithdrawalState, string>,
  signed: (signed: number, needed: number) => `${signed} of ${needed} have signed`,
  proposedBy: "Proposed by {name}, {time}",
  signedBy: "Signed by {names}",
  transaction: "Transaction",
  transactionNoun: "transaction",
  sign: "Sign",
  signOne: (amount: string) => `Sign the withdrawal of ${amount}`,
  rejectOne: (amount: string) => `Reject the withdrawal of ${amount}`,
  cancelOne: (amount: string) => `Cancel the withdrawal of ${amount}`,
};

export const WITHDRAWAL_DIALOG = {
  propose: {
    title: "Propose a withdrawal",
    explained: "Nothing moves before two different admins have signed it. Only destinations of the settings can be chosen.",
    button: "Propose the withdrawal",
    toast: "The withdrawal is proposed. Two admins must sign it.",
  },
  sign: {
    title: "Sign this withdrawal?",
    explained: "Your passkey signs exactly what the next dialog shows. With the second admin's signature it is paid.",
    button: "Sign the withdrawal",
    toast: "Signed. Another admin must sign as well.",
  },
  reject: {
    title: "Reject this withdrawal?",
    explained: "It is over, and nothing is paid. Signatures that were given count for nothing else.",
    button: "Reject the withdrawal",
    toast: "The withdrawal is rejected",
  },
  cancel: {
    title: "Cancel this withdrawal?",
    explained: "Its payment is cancelled like any other: at once if it is not signed, by an empty transfer under its nonce if it is.",
    button: "Cancel the withdrawal",
    toast: "The withdrawal is being cancelled",
  },
  signedByTwo: "Signed by two. It is paid now.",
  proposedToAdmin: "Proposed. Another admin must confirm it under Proposals.",
  out: "Out of the wallet",
  currency: "Currency",
  into: "To the destination",
};
