/** Why a transfer is owed, and with `ownerId` what it is owed for: at most one transfer per pair of the two, for ever. */
export const TRANSFER_PURPOSES = ["settlement", "topup", "sweep", "return", "deployment"] as const;
export type TransferPurpose = (typeof TRANSFER_PURPOSES)[number];

/** `needs_review` is left only by an operator. A reorganisation takes `mined` back to `broadcast`. */
export const TRANSFER_STATES = ["queued", "signed", "broadcast", "mined", "executed", "failed", "needs_review"] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

/** One payment that is owed on a chain, and how far it has come. */
export type Transfer = {
  id: string;
  purpose: TransferPurpose;
  ownerId: string;
  partnerId: string;
  chain: string;
  currency: string;
  /** null: the chain's native coin. */
  tokenAddress: string | null;
  tokenDecimals: number;
  amountBase: bigint;
  recipient: string;
  state: TransferState;
  /** Why it does not move on just now (an empty treasury, a dead node): public to operators. Null while it moves. */
  waitingReason: string | null;
  failureReason: string | null;
  txHash: string | null;
  createdAt: Date;
  executedAt: Date | null;
};
