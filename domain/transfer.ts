/**
 * The purpose of a transfer, and with `ownerId` its owner: each pair of the two has at most one transfer, for ever. A `filler` has no
 * owner: it moves nothing, and uses a nonce that is missing in its wallet's sequence. A `pack` makes several payments in one transaction, and
 * an `allowance` lets the packing contract move a token of its caller's. A `treasury_withdrawal` is the operator's own.
 */
export const TRANSFER_PURPOSES = [
  "settlement",
  "topup",
  "sweep",
  "return",
  "deployment",
  "filler",
  "pack",
  "allowance",
  "treasury_withdrawal",
] as const;
export type TransferPurpose = (typeof TRANSFER_PURPOSES)[number];

/**
 * Only an operator moves a transfer out of `needs_review`. A reorg takes `mined` back to `broadcast`. A final transaction that reverted
 * without a fault of the payment goes back to `queued`: it moved nothing and never will, so the payment is made again under another nonce.
 * A `packed` one is a member of a packed transaction, which decides how it ends. On a chain whose signed payments lapse, a lapsed one goes
 * back to `queued` (`domain/lapsing.ts`).
 */
export const TRANSFER_STATES = ["queued", "packed", "signed", "broadcast", "mined", "executed", "failed", "needs_review"] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

/**
 * A contract call (a sweep, a deployment) in place of a plain payment. `to` is null for the creation of a contract. `sender`: the only
 * wallet that may send it, because the contract obeys only that one; omitted: any of ours.
 */
export type TransferCall = { to: string | null; valueBase: bigint; data: string; sender?: string };

/**
 * Why a payment waits, as its partner sees it: the treasury has too little, the chain or the signer does not answer, people review it, or
 * it is on hold until people release it.
 */
export const WAITING_KINDS = ["treasury_funding", "chain_unavailable", "review", "hold"] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];
export type Waiting = { kind: WaitingKind; since: Date };

/** One payment that is owed on a chain, and how far it has come. */
export type Transfer = {
  id: string;
  purpose: TransferPurpose;
  ownerId: string;
  /** null: it concerns no partner (the operator's own deployment). */
  partnerId: string | null;
  chain: string;
  currency: string;
  /** null: the chain's native coin. */
  tokenAddress: string | null;
  tokenDecimals: number;
  amountBase: bigint;
  recipient: string;
  /** null: a plain payment of `amountBase` to `recipient`. */
  call: TransferCall | null;
  /** The only wallet that may make the plain payment; omitted: any of ours. */
  sender?: string;
  state: TransferState;
  /** Why it does not move on just now (an empty treasury, a dead node): public to operators. Null while it moves. */
  waitingReason: string | null;
  /** What an operator has to look into. */
  reviewReason: string | null;
  failureReason: string | null;
  /** The attempt that is in a block; of a final transfer, permanently. */
  txHash: string | null;
  blockNumber: number | null;
  blockHash: string | null;
  cancelRequestedAt: Date | null;
  bumpRequestedAt: Date | null;
  /** Its owner's `traceparent`; null: it was not traced. */
  trace: string | null;
  createdAt: Date;
  executedAt: Date | null;
};

/** How a final transfer ended: paid under a hash, or not at all, for a reason. */
export type TransferEnd = { txHash: string } | { reason: string };

/** @throws Error for a transfer that is not final. */
export function endOf({ state, txHash, failureReason }: Pick<Transfer, "state" | "txHash" | "failureReason">): TransferEnd {
  if (state === "executed" && txHash !== null) return { txHash };
  if (state === "failed") return { reason: failureReason ?? "The transfer failed." };
  throw new Error(`a ${state} transfer completes nothing`);
}

/**
 * The lifecycle of a transfer as one table. `advanceTransfer` enforces it, and the exhaustive test covers it. `worker` rows happen in the
 * engine, `operator` rows only by a person's decision. `restore`: the chain has a payment that the database has lost. The worker does this
 * itself only for the transfer's own final bytes, which a reorg let through after they were superseded.
 */
export const TRANSFER_LIFECYCLE = {
  sign: { from: ["queued"], to: "signed", by: "worker" },
  pack: { from: ["queued"], to: "packed", by: "worker" },
  unpack: { from: ["packed"], to: "queued", by: "worker" },
  pay_packed: { from: ["packed"], to: "executed", by: "worker" },
  refuse: { from: ["queued"], to: "failed", by: "worker" },
  broadcast: { from: ["signed"], to: "broadcast", by: "worker" },
  mine: { from: ["signed", "broadcast"], to: "mined", by: "worker" },
  reorganise: { from: ["mined"], to: "broadcast", by: "worker" },
  execute: { from: ["mined"], to: "executed", by: "worker" },
  fail: { from: ["mined"], to: "failed", by: "worker" },
  retry: { from: ["mined"], to: "queued", by: "worker" },
  lapse: { from: ["signed", "broadcast"], to: "queued", by: "worker" },
  review: { from: ["packed", "signed", "broadcast", "mined"], to: "needs_review", by: "worker" },
  withdraw: { from: ["queued"], to: "failed", by: "operator" },
  restore: { from: ["queued"], to: "executed", by: "operator" },
  resume: { from: ["needs_review"], to: "broadcast", by: "operator" },
  resolve_executed: { from: ["needs_review"], to: "executed", by: "operator" },
  resolve_failed: { from: ["needs_review"], to: "failed", by: "operator" },
  resolve_retry: { from: ["needs_review"], to: "queued", by: "operator" },
} as const satisfies Record<string, TransferLifecycleRow>;

export type TransferLifecycleRow = { from: readonly TransferState[]; to: TransferState; by: "worker" | "operator" };

export type InBlock = { txHash: string; blockNumber: number; blockHash: string };

/** What happens to a transfer, with what it brings along. */
export type TransferAction =
  | { type: "sign" | "pack" | "broadcast" | "reorganise" | "execute" | "resume" }
  | { type: "refuse" | "fail" | "retry" | "lapse" | "unpack" | "review" | "withdraw" | "resolve_failed" | "resolve_retry"; reason: string }
  | ({ type: "mine" | "pay_packed" | "restore" | "resolve_executed" } & InBlock);

export type TransferActionType = TransferAction["type"];

/** A transition that the table does not allow: a defect, or somebody else was faster. Never an answer to a partner. */
export class IllegalTransferMove extends Error {
  override readonly name = "IllegalTransferMove";
}

/** The transfer after `action` at the instant `now` (business time). @throws IllegalTransferMove where the table has no such row. */
export function advanceTransfer(transfer: Transfer, action: TransferAction, now: Date): Transfer {
  if (!allowsTransfer(transfer.state, action.type)) {
    throw new IllegalTransferMove(`a transfer that is ${transfer.state} cannot ${action.type}`);
  }
  const moved: Transfer = { ...transfer, state: TRANSFER_LIFECYCLE[action.type].to, waitingReason: null };
  switch (action.type) {
    case "sign":
    case "pack":
    case "broadcast":
      return moved;
    case "mine":
      return { ...moved, ...blockOf(action) };
    case "reorganise":
    case "resume":
      return { ...moved, ...NOT_IN_A_BLOCK, reviewReason: null };
    case "retry":
    case "lapse":
    case "unpack":
    case "resolve_retry":
      return { ...moved, ...NOT_IN_A_BLOCK, waitingReason: action.reason, reviewReason: null, bumpRequestedAt: null };
    case "execute":
      return { ...moved, executedAt: now };
    case "pay_packed":
    case "restore":
    case "resolve_executed":
      return { ...moved, ...blockOf(action), executedAt: now };
    case "review":
      return { ...moved, reviewReason: action.reason };
    case "refuse":
    case "fail":
    case "withdraw":
    case "resolve_failed":
      return { ...moved, failureReason: action.reason };
  }
}

function blockOf({ txHash, blockNumber, blockHash }: InBlock): InBlock {
  return { txHash, blockNumber, blockHash };
}

const NOT_IN_A_BLOCK = { txHash: null, blockNumber: null, blockHash: null };

/** The only wallet that may send it; undefined: any of ours. */
export function senderOf({ call, sender }: Pick<Transfer, "call" | "sender">): string | undefined {
  return call === null ? sender : call.sender;
}

/** Whether the table allows the action in such a state. The console's buttons use this. */
export function allowsTransfer(state: TransferState, action: TransferActionType): boolean {
  const row: TransferLifecycleRow = TRANSFER_LIFECYCLE[action];
  return row.from.includes(state);
}

/** Whether the worker still has something to do for it: it is neither final nor waiting for a person. */
export function isOpenTransfer(state: TransferState): boolean {
  return state !== "executed" && state !== "failed" && state !== "needs_review";
}
