/** The chain's view of a payment: its place in the block, and our fee for it. */
export type PaymentReceipt = {
  hash: string;
  blockHash: string;
  blockHeight: number;
  /** The place of the transfer's log in its block; null: the payment is of the native coin, which logs nothing. */
  logIndex: number | null;
  /** Of a packed transaction, this payment's share. */
  networkFee: { base: bigint; currency: string; decimals: number };
};

/**
 * What the chain says about a payment. `proven`: as booked. `contradicted`: it shows something else, or the block is gone. `unproven`: too
 * few nodes answer, they disagree, or it is not final yet.
 */
export type PaymentEvidence = { outcome: "proven"; receipt: PaymentReceipt } | { outcome: "contradicted" } | { outcome: "unproven" };
