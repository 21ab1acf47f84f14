import { exactText } from "./money.ts";
import { Refusal } from "./refusal.ts";
import type { Decision } from "./signed-decision.ts";

/**
 * `proposed`: fewer than two admins have signed it. `owed`: two have, and its payment is enqueued. `unpaid`: the payment ended without
 * moving anything.
 */
export const TREASURY_WITHDRAWAL_STATES = ["proposed", "owed", "paid", "unpaid", "rejected"] as const;
export type TreasuryWithdrawalState = (typeof TREASURY_WITHDRAWAL_STATES)[number];

/** So many different admins sign a treasury withdrawal. */
export const WITHDRAWAL_SIGNERS = 2;

/** Crypto that the operator takes out of one of its wallets, to an address of its own elsewhere. */
export type TreasuryWithdrawal = {
  id: string;
  chain: string;
  /** The wallet that pays, and no other. */
  walletAddress: string;
  currency: string;
  /** null: the chain's native coin. */
  tokenAddress: string | null;
  tokenDecimals: number;
  amountBase: bigint;
  recipient: string;
  reason: string;
  state: TreasuryWithdrawalState;
  proposedBy: string;
  proposedAt: Date;
  /** When two had signed it, or one rejected it, and who was the last. */
  decidedAt: Date | null;
  decidedBy: string | null;
  txHash: string | null;
  failureReason: string | null;
  updatedAt: Date;
};

const MOVES: Record<TreasuryWithdrawalState, readonly TreasuryWithdrawalState[]> = {
  proposed: ["owed", "rejected"],
  owed: ["paid", "unpaid"],
  paid: [],
  unpaid: [],
  rejected: [],
};

/** @throws Refusal `invalid_state` where that does not follow */
export function moveTreasuryWithdrawal(
  before: TreasuryWithdrawal,
  after: Pick<TreasuryWithdrawal, "state"> & Partial<Pick<TreasuryWithdrawal, "txHash" | "failureReason" | "decidedBy">>,
  now: Date,
): TreasuryWithdrawal {
  if (!MOVES[before.state].includes(after.state)) throw new Refusal("invalid_state", { detail: `The withdrawal is ${before.state}.` });
  const decidedAt = before.state === "proposed" ? now : before.decidedAt;
  return { ...before, ...after, decidedAt, updatedAt: now };
}

/** What each of the two admins signs: exactly this withdrawal. */
export function treasuryWithdrawalDecision(withdrawal: TreasuryWithdrawal): Decision {
  const { id, chain, walletAddress, currency, tokenAddress, tokenDecimals, amountBase, recipient, reason } = withdrawal;
  const facts = {
    treasury_withdrawal: id,
    amount_out: exactText(amountBase, tokenDecimals),
    token: currency,
    token_address: tokenAddress,
    wallet: walletAddress,
    recipient,
    chain,
    reason,
  };
  return { action: "treasury.withdraw", subject: id, facts };
}
