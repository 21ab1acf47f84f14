export const ORDER_DIALOG = {
  bump: {
    title: (nonce: number) => `Raise the fee of nonce ${nonce}`,
    explained:
      "The worker offers the very same payment at a higher fee, under the same nonce: same recipient, same amount. Only one of the two can ever be mined.",
    button: "Raise the fee",
    toast: "The fee is being raised",
  },
  cancel: {
    title: (nonce: number) => `Cancel nonce ${nonce}`,
    explained:
      "The worker sends an empty transaction to the wallet itself under the same nonce. The chain mines only one of the two. If it mines the payment, the payment is made. If not, the payment fails permanently and the partner is notified. In live mode another admin must first confirm it under Proposals.",
    button: "Cancel the payment",
    toast: "The payment is being cancelled",
  },
  withdraw: {
    title: (nonce: number) => `Withdraw the cancellation of nonce ${nonce}`,
    explained:
      "The worker offers the very same payment again under the same nonce, at a higher fee than the cancellation. If the chain still mines the cancellation, the payment fails and the partner is notified.",
    button: "Withdraw the cancellation",
    toast: "The payment is being sent again",
  },
  stop: {
    title: "Stop everything",
    explained:
      "Nothing new is signed, on any chain or for any partner, until two people lift the halt (one in the sandbox). Signed transactions are still followed. Confirmed settlements wait, and no one gets a quote.",
    button: "Stop everything",
    toast: "Everything is stopped",
  },
  halt: {
    wallet: { title: "Halt the wallet", button: "Halt the wallet", toast: "The wallet is halted" },
    chain: { title: "Halt the chain", button: "Halt the chain", toast: "The chain is halted" },
    pair: { title: "Halt the pair", button: "Halt the pair", toast: "The pair is halted" },
    explained:
      "Nothing new is signed there until two people lift the halt (one in the sandbox). Signed transactions are still followed. While nothing is signed on a chain, no one can get a quote there.",
  },
  lift: {
    title: "Lift the halt",
    explained: (scope: string, detail: string) =>
      `${scope}: ${detail} Say what you found out. In live mode another admin must first confirm it under Proposals.`,
    button: "Lift the halt",
    toast: "The halt is lifted",
  },
  safeOwner: {
    title: "Give its Safes a new owner",
    explained:
      "Each Safe of this wallet gets an active wallet as its owner. This wallet signs the change, so its key must still be configured. Another wallet sends it. In live mode another admin must first confirm it under Proposals.",
    button: "Give them a new owner",
    toast: "The Safes get a new owner",
  },
  acceptUnread: {
    label: "Nonces that you accept unread",
    hint: "Leave this empty at first. If the chain cannot show what a nonce paid, the answer lists the nonce, such as 3, 7-9. A payment under an accepted nonce may be made twice.",
    wrong: "Enter numbers and ranges, such as 3, 7-9",
  },
  states: {
    active: {
      title: "Use the wallet again",
      explained: "It signs and receives like any other. In live mode another admin must first confirm it under Proposals.",
      button: "Use it again",
    },
    draining: {
      title: "Drain the wallet",
      explained: "It signs nothing new and receives no sweeps. Its signed transactions are completed.",
      button: "Drain the wallet",
    },
    retired: {
      title: "Retire the wallet",
      explained: "Its key is not used again, not even to raise a fee. If transactions are in progress, drain it first.",
      button: "Retire the wallet",
    },
    compromised: {
      title: "Mark the wallet as compromised",
      explained: "The wallet is halted immediately. Its key is never used again, and nothing is swept into it. You cannot undo this.",
      button: "Mark as compromised",
    },
  },
  stateChanged: "The wallet's state is changed",
  /** The text to type against mistakes. */
};

export const REVIEWS = {
  label: "Needs review",
  title: (payments: number) => (payments === 1 ? "1 payment needs review" : `${payments} payments need review`),
  line: "{amount} to {recipient}",
  look: "Look",
  onTransfer: (transferId: string) => `on ${transferId}`,
  question: "Was it paid?",
};

export const REVIEW_PART = {
  askingChain: "Asking the chain",
  chainState: "What the chain says now",
  closed: "It no longer needs a decision: somebody has decided, or the chain has.",
  silent: "{node} does not answer or no longer knows. Nothing can be decided without it.",
  lapsingReport: "{node} says of its signed payments, which lapse by themselves:",
  nodeReport: (transactions: string, nonce: number, isSpent: boolean) =>
    `{node} has ${transactions} transactions of the wallet in blocks: nonce ${nonce} ${isSpent ? "is spent." : "is not spent."}`,
  ours: { payment: "Our payment {hash}", cancellation: "Our cancellation {hash}" } as Readonly<Record<string, string>>,
  observations: {
    unknown: "is not on the chain.",
    reverted: "was reverted: it moved nothing.",
    paid: "made the payment.",
    moved_nothing: "succeeded, is final, and provably moved nothing.",
    unclear: "succeeded; what it moved is not proven.",
  } as Readonly<Record<string, string>>,
  notPaidImpossible: (danger: string) => `“Not paid” is not possible: ${danger}`,
};

export const DECIDE = {
  transactionHint: "Of our attempts, this one made the payment.",
  outcome: "Your decision",
  notAllowed: "The chain does not allow it right now. See above.",
  transaction: "Transaction that paid it",
  hashWanted: "Enter the transaction's hash as the chain's explorer shows it",
  partnerMessage: "Message to the partner",
  choices: {
    resume: {
      title: "Look again",
      button: "Look again",
      explained: "The worker checks it again and signs nothing. If nothing has changed, it comes back here.",
    },
    executed: {
      title: "It was paid",
      button: "Record it as paid",
      explained:
        "Name the transaction. It must be final and not older than the payment. It must show exactly this payment on every node, and must not prove another payment. The partner is notified that it is executed.",
    },
    retry: {
      title: "It was not paid. Pay it again",
      button: "Pay it again",
      explained:
        "Refused while any of our attempts may have paid. The worker signs the payment again under a new nonce, also from another wallet.",
    },
    failed: {
      title: "It was not paid and never will be",
      button: "Record it as not paid",
      explained: "Refused while any of our attempts may have paid. The payment fails permanently, and the partner receives your message.",
    },
  },
};
