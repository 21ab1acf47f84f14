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
      "The worker sends an empty transaction to ourselves under the same nonce. Which of the two is mined, the chain decides: if the payment is faster, it is paid. If not, it fails for good and the partner is told.",
    button: "Cancel the payment",
    toast: "The cancellation is being sent",
  },
  withdraw: {
    title: (nonce: number) => `Withdraw the cancellation of nonce ${nonce}`,
    explained:
      "The worker offers the very same payment again under the same nonce, at a higher fee than the cancellation. If the chain mines the cancellation all the same, the payment fails and the partner is told.",
    button: "Withdraw the cancellation",
    toast: "The payment is being sent again",
  },
  stop: {
    title: "Stop everything",
    explained:
      "Nothing is signed any more, on any chain and for nobody, until two people let it go on (in the sandbox one). What is signed is still looked after. What is confirmed waits, and nobody gets a quote.",
    button: "Stop everything",
    toast: "Everything is stopped",
  },
  halt: {
    wallet: { title: "Halt the wallet", button: "Halt the wallet", toast: "The wallet is halted" },
    chain: { title: "Halt the chain", button: "Halt the chain", toast: "The chain is halted" },
    pair: { title: "Halt the pair", button: "Halt the pair", toast: "The pair is halted" },
    explained:
      "It signs nothing new until two people let it go on (in the sandbox one). What it has signed is still looked after. While nothing is signed on a chain, nobody can get a quote there.",
  },
  lift: {
    title: "Let it go on",
    explained: (lane: string, detail: string) =>
      `${lane}: ${detail} Say what you found out. In live mode another admin confirms it under Proposals before anything goes on.`,
    button: "Let it go on",
    toast: "The halt is lifted, or waits for a second person",
  },
  safeOwner: {
    title: "Give its Safes another owner",
    explained:
      "Each Safe of this wallet gets an active wallet as its owner. The wallet signs that itself, so its key must still be configured; another wallet sends it. In live mode another admin confirms it under Proposals first.",
    button: "Give them another owner",
    toast: "The Safes get another owner, or wait for a second person",
  },
  unread: {
    label: "Nonces that you accept unread",
    hint: "Leave it empty. If the chain cannot say what a nonce paid, the answer names it: 3, 7-9. Whatever it paid may then be paid again.",
    wrong: "Numbers and ranges, such as 3, 7-9",
  },
  states: {
    active: { title: "Use the wallet again", explained: "It signs and receives like any other.", button: "Use it again" },
    draining: {
      title: "Drain the wallet",
      explained: "It signs nothing new and receives no sweep; what it has signed is seen through.",
      button: "Drain the wallet",
    },
    retired: {
      title: "Retire the wallet",
      explained: "Its key is not used again, not even for a higher fee. Drain it first, if anything is on its way.",
      button: "Retire the wallet",
    },
    compromised: {
      title: "The wallet's key is in other hands",
      explained: "It is halted at once, its key is never used again, and nothing is swept into it. This is not taken back.",
      button: "Say that it is compromised",
    },
  },
  stateChanged: "The wallet's state is changed",
  /** What is typed against slips. */
  everything: "everything",
  leave: "Leave it",
};

export const REVIEWS = {
  label: "Needs review",
  title: (payments: number) => (payments === 1 ? "1 payment needs review" : `${payments} payments need review`),
  line: "{amount} to {recipient} {reason}",
  recipient: "recipient",
  decide: "Decide",
  look: "Look",
  on: (transferId: string) => `on ${transferId}`,
  question: "Was it paid?",
};

export const REVIEW_PART = {
  askingChain: "Asking the chain",
  owed: "Owed",
  to: "To",
  recipient: "recipient",
  for: "For",
  id: "id",
  wallet: "Wallet",
  theWallet: "wallet",
  nonce: "Nonce",
  chainSaysNow: "What the chain says now",
  onlyAdminDecides: "Only an admin decides.",
  silent: "{node} does not answer, or no longer knows: nothing can be decided against it.",
  has: (transactions: string, nonce: number, isSpent: boolean) =>
    `{node} has ${transactions} transactions of the wallet in blocks: nonce ${nonce} ${isSpent ? "is spent." : "is not spent."}`,
  ours: { payment: "Our payment {hash}", cancellation: "Our cancellation {hash}" } as Readonly<Record<string, string>>,
  seen: {
    unknown: "is not on the chain.",
    reverted: "was reverted: it moved nothing.",
    paid: "made the payment.",
    moved_nothing: "succeeded, is final, and provably moved nothing.",
    unclear: "succeeded; what it moved is not proven.",
  } as Readonly<Record<string, string>>,
  transactionHash: "transaction hash",
  inTheWay: (danger: string) => `In the way of “not paid”: ${danger}`,
};

export const DECIDE = {
  decide: "Decide",
  decided: "Decided",
  yourWord: "Your word",
  closed: "The chain does not allow it just now: see above.",
  transaction: "Transaction that paid it",
  hashWanted: "0x and 64 hexadecimal digits",
  partnerTold: "What the partner is told",
  choices: {
    resume: {
      title: "Look again",
      explained: "The worker takes it up again. Nothing is signed again; if nothing has changed it comes back here.",
    },
    executed: {
      title: "It was paid",
      explained:
        "Name the transaction. It must be final, no older than the debt, show exactly this payment on every node, and have proved no other. The partner is told that it is executed.",
    },
    failed: {
      title: "It was not paid and never will be",
      explained: "Refused while any attempt of ours may have paid. It ends as failed, for good, and the partner is told your words.",
    },
  },
};
