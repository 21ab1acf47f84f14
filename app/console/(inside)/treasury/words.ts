import type { LedgerLine, Wallet } from "./answers.ts";

export const PAGE = {
  title: "Treasury",
};

export const TREASURY_SCREEN = {
  tabs: "Parts of the treasury",
  wallets: "Wallets",
  none: "No chain is configured",
  noneMore: "Add one with its nodes and a signer to the configuration, and restart the worker.",
  suspense: "Suspense",
  books: "Books",
};

export const CHAIN_BOARD = {
  heading: (chain: string) => chain,
  haltChain: "Halt the chain",
  uncovered: "No screening source covers the addresses of this chain. Every payment waits until an admin releases it.",
  runsLow: (currencies: string) => `Runs low: ${currencies}. Payments wait when there is not enough; they do not fail.`,
  partlyLow: (currency: string, low: number, wallets: number) =>
    `${currency} runs low in {wallets}, ${low} of ${wallets} wallets. ${
      wallets - low === 1 ? "The other keeps paying." : "The others keep paying."
    } A payment beyond every balance waits for a top-up and does not fail.`,
  final: (confirmations: number) => (confirmations === 1 ? "1 confirmation is final" : `${confirmations} confirmations are final`),
  runway: (name: string) => `How long all wallets on ${name} last together`,
  lastTogether: "All wallets last",
  usedLastDay: "Used, 24 h",
  queuedUnsigned: "Queued, not signed",
  atMost: "at most",
  noWallet: "No worker has found a wallet of this chain yet. Configure a signer.",
  unscreened: "Recipients are not screened",
  noScreeningSource: "No source screens recipients",
  screenedBy: (sources: string) => `Recipients are screened by ${sources}`,
  nothingUsed: "unused",
  notAsked: "No worker has read this chain yet",
  block: (height: string | null, age: string | null) => `Block ${height ?? "unknown"}${age === null ? "" : `, ${age} old`}`,
  nodes: (up: number, total: number) => `${up} of ${total} ${total === 1 ? "node answers" : "nodes answer"}`,
  askedAgo: (ago: string) => `asked ${ago} ago`,
  noCap: "no cap",
  capGwei: (capGwei: string) => `cap ${capGwei} gwei`,
  gasUnknown: (cap: string) => `Gas not known yet, ${cap}`,
  gas: (base: string, tip: string, cap: string) => `Gas ${base} base + ${tip} tip gwei, ${cap}`,
};

export const WALLET_BOARD = {
  safes: (count: number) =>
    `${count === 1 ? "1 Safe still belongs" : `${count} Safes still belong`} to this wallet. Give them a new owner.`,
  safeOwner: "Give its Safes a new owner",
  wallet: (address: string) => `Wallet ${address}`,
  walletAddress: "wallet address",
  topUp: "Top up",
  halt: "Halt",
  low: "Low",
  notRead: "No worker has read its balance yet.",
  topUpOn: (name: string) => `Top up on ${name}`,
  addressQr: "The wallet's address as a QR code",
  state: (address: string) => `State of wallet ${address}`,
  compromised: "Compromised",
  retired: "Retired",
  draining: "Draining",
  noWorker: "No worker uses it",
  working: "Working",
  minimum: "should be at least {amount}",
  promised: "promised {amount}",
  over10Years: "over 10 years",
  lastsAlone: (time: string) => `lasts ${time} alone`,
  readAt: (block: string, ago: string) => `read at block ${block}, ${ago} ago`,
  sendExplained: (currencies: string) =>
    `Send ${currencies} on {chain} to this address, and nothing else. Deposits are booked automatically.`,
  orders: {
    active: "Use it again",
    draining: "Drain it",
    retired: "Retire it",
    compromised: "Mark as compromised",
  },
  signers: {
    sandbox: "Key: a file of the sandbox",
    keystore: "Key: an encrypted file",
    remote: "Key: a remote signer",
    pkcs11: "Key: in a token (PKCS#11)",
    "aws-kms": "Key: in AWS KMS",
  } satisfies Record<NonNullable<Wallet["signer"]>, string>,
};

export const NONCE_QUEUE = {
  purpose: "For",
  fee: "Fee at most",
  signed: "Signed",
  oldestAge: (time: string) => `oldest for ${time}`,
  unknownNonces: (nonces: string, more: number) =>
    `Unknown: ${nonces}${more > 0 ? ` and ${more} more` : ""}. None of our transactions has these nonces. Something else used the key, or they are missing.`,
  caption: (address: string) => `Nonces of wallet ${address}`,
  replacedAttempts: (count: number) => `replaced ${count}`,
  feeRaised: (bumps: number) => `raised ${bumps === 1 ? "once" : `${bumps} times`}`,
  cancellation: "cancellation",
  orders: (nonce: number) => `Actions for nonce ${nonce}`,
  raiseFee: "Raise the fee",
  cancelSelfTransfer: "Cancel with a self-transfer",
  withdrawCancellation: "Withdraw the cancellation",
  summary: (onTheirWay: number) => `Nonces: confirmed below {below} · ${onTheirWay} on their way · next {next}`,
  noTransactions: "It has not sent a transaction yet.",
  gwei: (fee: string) => `${fee} gwei`,
  states: {
    signed: "Signed",
    broadcast: "On its way",
    mined: "In a block",
    executed: "Final",
    failed: "Failed",
    needs_review: "Needs review",
  } as Readonly<Record<string, string>>,
  purposes: {
    topup: "Top-up",
    sweep: "Sweep",
    return: "Return",
    deployment: "Safe",
    filler: "Filler",
    pack: "Packed payments",
    allowance: "Allowance",
    treasury_withdrawal: "Treasury withdrawal",
  } as Readonly<Record<string, string>>,
};

export const HALTS = {
  title: (halts: number) => (halts === 1 ? "1 halt in force" : `${halts} halts in force`),
  waitsForSecond: "a second person confirms it",
  lift: "Lift the halt",
  everything: "Everything",
  scopes: {
    wallet: (name: string) => `The wallet ${name}`,
    chain: (name: string) => `The chain ${name}`,
    pair: (name: string) => `The pair ${name}`,
    partner: (name: string) => `The partner ${name}`,
    provider: (name: string) => `The provider ${name}`,
  },
  since: "{scope} since {time}: {detail}",
  proposed: (by: string) => `${by} has proposed to lift it: {link}.`,
};

export const COSTS = {
  costs: "Costs and losses at providers",
  costsMean: "What fiat providers took for payouts and collections, what is lost at one, and late top-ups that were refunded.",
  bookCost: "Book a cost or a loss…",
  noCosts: "No cost or loss is booked yet",
};

export const BOOKS = {
  liftedHalts: "Lifted halts",
  liftedLine: (byTwo: boolean) => `{scope}. {words} Lifted {time} by ${byTwo ? "two people" : "one person"}: {reason}`,
  reconciliations: "Reconciliations",
  accounts: {
    partner_receivable: {
      name: "Partner receivable",
      means: "What the partner owes for payments on its behalf; below zero, what we owe the partner.",
    },
    treasury: { name: "Treasury", means: "The tokens in our wallets, compared with the chains once a day." },
    fiat_pool: { name: "Fiat pool", means: "Our money with the fiat provider." },
    fee_revenue: { name: "Fee revenue", means: "Platform fees that we have earned; earnings are below zero." },
    network_fees: { name: "Network fees", means: "What the chains have charged for our transactions." },
    clearing: {
      name: "Clearing",
      means: "Taken for top-ups and withdrawals and not yet given; zero when none is under way, below zero when we still owe it.",
    },
    conversion: { name: "Conversion", means: "Both sides of every exchange: above zero what we gave, below zero what we got for it." },
    rounding: { name: "Rounding", means: "Fractions of the smallest unit that rounding has left." },
    owner_funds: {
      name: "Owner's funds",
      means:
        "What the operator has paid in, less what it took out and what partners paid to it; below zero while we owe it to the operator.",
    },
    losses: { name: "Losses", means: "What left our wallets or pools without paying for anything, booked by two people." },
    provider_costs: { name: "Providers' costs", means: "What fiat providers took for payouts and collections." },
    suspense: {
      name: "Suspense",
      means: "Movements into our wallets (below zero) or out of them (above zero) that are not explained yet.",
    },
  } satisfies Record<LedgerLine["account"], { name: string; means: string }>,
  entries: "Entries",
  entriesOf: (account: string, of: readonly string[]) => `of ${account}, ${of.filter(Boolean).join(", ")}`,
  noneEnded: "None has finished yet",
  noneEndedMore: "The worker compares ledger, records and chains once a business day.",
  reconciliationsCaption: "Reconciliations, newest first",
  ledger: "Ledger",
  nothingBooked: "Nothing is booked yet",
  ledgerCaption: "Balances of the ledger's accounts, debit above zero",
  agrees: "Agrees",
  differenceCount: (differences: number) => (differences === 1 ? "1 difference" : `${differences} differences`),
  differences: "Differences",
  fiat: "fiat",
  day: "Day",
  rules: "Rules",
  ended: "Ended",
};
