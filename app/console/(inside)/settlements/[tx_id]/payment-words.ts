/** Texts about a settlement's payment: checks, chain, outcome, receipt. */

export const CHECKS_PART = {
  ended: "It ended without a decision {time}",
  decidedBy: (decided: string, by: null | string) => `${decided} by ${by} {time}`,
  heldSince: "Held since {time}. {check}: {reason}",
  decided: { released: "Released", refused: "Refused" } as Readonly<Record<string, string>>,
  stages: {
    quote: "At the quote",
    confirm: "At the confirmation",
    sign: "Before signing",
    release: "At the release",
  } as Readonly<Record<string, string>>,
  version: (version: string) => `version ${version}`,
  passes: "passes",
  wouldHold: "would hold",
  holds: "holds",
  judgedBy: "Facts",
  verdict: (stage: string, check: string) => `${stage}, {time}: ${check}`,
};

export const RECEIPT = {
  states: {
    quoted: "Quoted, not paid",
    processing: "Being paid, not final",
    executed: "Executed: paid and final",
    failed: "Failed: not paid",
    cancelled: "Cancelled: not paid",
  } as Readonly<Record<string, string>>,
  subtitle: "Statement of a settlement",
  issuedBy: (brand: string, baseUrl: string) => `Issued by ${brand}, ${baseUrl}`,
  printed: "Printed {time}",
  externalId: "Partner's reference",
  received: "Received",
  per: (exchangeRate: number, unit: string, sourceCurrency: string) => `${exchangeRate} ${unit} per ${sourceCurrency}`,
  paidToWallet: "Paid to the wallet",
  networkFee: "Network fee, borne by the issuer",
  notInBlock: "not in a block",
  blockHash: "Block hash",
  logIndex: "Log index",
  nativeCoin: "none (the chain's native coin)",
  chainSilent: "the chain does not answer right now",
  viewAt: "View it at",
  proof: "Proof",
  signedVerifyAt: "Signed. Anyone can verify it at",
  proofQr: "The signed receipt, as a link to its verification",
};

export const OUTCOME = {
  paid: "Paid",
  oneConfirmation: "1 confirmation",
  confirmations: (count: string) => `${count} confirmations`,
};

export const SIGN_ABOVE_CAP = {
  button: "Sign above the cap",
  title: "Let this payment go above the signer's cap?",
  descriptions: {
    hour: "Two admins sign exactly this payment with their passkeys. It is then paid although the hour's cap is reached.",
    day: "Two admins sign exactly this payment with their passkeys. It is then paid although the day's cap is reached.",
  },
  oneMore: "Signed. Another admin must sign as well.",
  both: "Signed by two. The payment goes on.",
};

export const CHAIN_PART = {
  signing: "Signing",
  broadcast: "Broadcast",
  mined: "Mined",
  confirming: "Confirming",
  noNewBlock: (given: string) => `The chain has shown no new block for ${given}. The payment continues when the chain does.`,
  underReview: (reviewReason: string) => `Under review: ${reviewReason}`,
  transactionOf: "Shared transaction",
  packedWith: (payments: number) => `One of ${payments} payments in this transaction`,
  networkFee: "Network fee",
  networkFeeShare: "Its share of the network fee",
  maximumFee: "Maximum fee",
  energy: "Energy",
  fromStake: (energy: string, staked: string) => `${energy}, ${staked} of it from the stake`,
  energySuffix: (energy: string) => `, ${energy} energy`,
  bandwidth: "Bandwidth",
  boughtBandwidth: "bought with the fee",
  gas: "Gas",
  lastUpdate: "Last update",
  gasPriceTimesLimit: (gwei: string, gasLimit: string) => `${gwei} gwei × ${gasLimit} gas`,
  stagesLabel: "Stages of the payment",
  confirmations: "Confirmations",
  everyAttempt: "Every attempt",
  cancellation: "Cancellation",
  firstAttempt: "First",
  feeRaised: "Fee raised, replaces the previous attempt",
  inChainSuffix: ", in the chain",
  replacedSuffix: ", replaced",
  hash: "hash",
};
