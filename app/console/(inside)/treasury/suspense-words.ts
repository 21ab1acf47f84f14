import type { LineDirection, LineResolution } from "#domain/suspense-line.ts";

export const SUSPENSE = {
  title: "Suspense",
  explained:
    "Movements of the treasury's wallets and members' Safes that no payment explains, the oldest first. Each stays here until a deposit is declared, a loss is booked, or two people explain it.",
  caption: "Unexplained movements, oldest first",
  none: "Every movement is explained",
  noneMore: "The workers read what moves on the chains every few seconds.",
  movement: "Movement",
  directions: {
    wallet: { in: "Into a wallet", out: "Out of a wallet", within: "Between wallets" },
    safe: { in: "Into a Safe", out: "Out of a Safe", within: "Between Safes" },
  } satisfies Record<"wallet" | "safe", Record<LineDirection, string>>,
  fee: "Network fee of a wallet",
  unknown: "unknown",
  inBlock: "Unknown transaction in block",
  block: "block",
  from: "From",
  to: "To",
  sender: "sender",
  recipient: "recipient",
  transaction: "Transaction",
  transactionNoun: "transaction",
  found: "Found",
  seen: "Not final at every node",
  declare: "Declare a deposit",
  lose: "Book as lost",
  explain: "Explain",
  correct: "Correct an entry",
  declaredTitle: "Declared deposits that have not arrived",
  declaredCaption: "Declared deposits that no movement has answered to yet",
  explainedTitle: "Explained lately",
  explainedCaption: "Movements that were explained, newest first",
  as: "Explained as",
  resolutions: {
    payment: "Payment of ours",
    funding: "Declared deposit",
    loss: "Loss",
    explained: "By two people",
    opening: "Opening balance",
  } satisfies Record<LineResolution, string>,
};

export const SUSPENSE_DIALOG = {
  declare: {
    title: "Declare a deposit",
    explained:
      "Say by which transaction you pay into a treasury wallet, before or after you send it. For a coin that a contract paid, name the block. The worker books it as the operator's funds once every node shows that very token and amount. In live mode another admin must first confirm it under Proposals.",
    button: "Declare the deposit",
    toast: "The deposit is declared",
  },
  lose: {
    title: "Book as lost",
    explained:
      "The whole transaction is booked as a loss: it paid nothing that is owed, and the money does not come back. In live mode another admin must first confirm it under Proposals.",
    button: "Book the loss",
    toast: "The loss is booked",
  },
  explain: {
    title: "Explain a movement",
    explained:
      "The ledger does not count this movement. Write what it was; the reason stays in the audit log. In live mode another admin must first confirm it under Proposals.",
    button: "Explain it",
    toast: "The movement is explained",
  },
  correct: {
    title: "Correct an entry",
    explained:
      "For an opening balance or a deposit that a node made up. The entry is reversed in full, and the right amount is booked in its place. In live mode another admin must first confirm it under Proposals.",
    button: "Correct the entry",
    toast: "The entry is corrected",
  },
  token: "Token",
  hash: "Transaction hash",
  hashHint: "0x and 64 digits",
  entry: "Entry",
  entryHint: "The id of the entry: Books, Entries",
  right: "Right amount",
  rightHint: "0 if it never happened",
};
