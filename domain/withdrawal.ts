import {
  type AccountType,
  CANCELLED_BY_PARTNER,
  type FiatStatus,
  IllegalFiatMove,
  type OrderFacts,
  type ProviderWord,
  plainReason,
  type WordEffect,
  weighAgain,
} from "./fiat.ts";

/**
 * A withdrawal's step. `reserved`: the pool's fiat is reserved for it. `sweeping`: the Safe's crypto is in flight to the treasury.
 * `paying_out`: that is final, and the provider is asked to pay. `returning`: it will not pay, and the crypto is in flight back. The others
 * are ends: `paid`, `released` (no crypto was taken), `returned`, `unreturned` (the return is impossible: a person has to settle it with
 * the partner).
 */
export const WITHDRAWAL_STEPS = ["reserved", "sweeping", "paying_out", "returning", "paid", "released", "returned", "unreturned"] as const;
export type WithdrawalStep = (typeof WITHDRAWAL_STEPS)[number];

export const WITHDRAWAL_EVENTS = ["withdrawal.completed", "withdrawal.failed", "withdrawal.cancelled"] as const;
export type WithdrawalEvent = (typeof WITHDRAWAL_EVENTS)[number];

/** Each step's status on the wire, and whether the pool reserves the amount. */
export const WITHDRAWAL_STEP_FACTS: Record<WithdrawalStep, { status: FiatStatus; holdsPool: boolean }> = {
  reserved: { status: "pending", holdsPool: true },
  sweeping: { status: "processing", holdsPool: true },
  paying_out: { status: "processing", holdsPool: true },
  returning: { status: "processing", holdsPool: false },
  paid: { status: "completed", holdsPool: false },
  released: { status: "failed", holdsPool: false },
  returned: { status: "failed", holdsPool: false },
  unreturned: { status: "failed", holdsPool: false },
};

/** Why a payout waits before its crypto is taken. `until`: when it goes on by itself if nobody says no; null: people decide. */
export type PayoutWait = { reason: (typeof PAYOUT_WAITS)[number]; since: Date; until: Date | null };
export const PAYOUT_WAITS = ["new_payee", "hold"] as const;

/** The life of a withdrawal (contract, part 6) as one table. `advanceWithdrawal` obeys it, the exhaustive test walks it. */
export const WITHDRAWAL_LIFECYCLE = {
  sweep: { from: "reserved", to: "sweeping", callback: null },
  give_up: { from: "reserved", to: "released", callback: "withdrawal.failed" },
  cancel: { from: "reserved", to: "released", callback: "withdrawal.cancelled" },
  cancel_sweep: { from: "sweeping", to: "released", callback: "withdrawal.cancelled" },
  take: { from: "sweeping", to: "paying_out", callback: null },
  fail_sweep: { from: "sweeping", to: "released", callback: "withdrawal.failed" },
  pay: { from: "paying_out", to: "paid", callback: "withdrawal.completed" },
  fail_payout: { from: "paying_out", to: "returning", callback: null },
  return: { from: "returning", to: "returned", callback: "withdrawal.failed" },
  fail_return: { from: "returning", to: "unreturned", callback: "withdrawal.failed" },
} as const satisfies Record<string, WithdrawalRow>;

export type WithdrawalRow = { from: WithdrawalStep; to: WithdrawalStep; callback: WithdrawalEvent | null };

/** What happens to a withdrawal, with what it brings along. */
export type WithdrawalAction =
  | { type: "sweep"; treasuryAddress: string }
  | { type: "cancel" | "cancel_sweep" }
  | { type: "give_up" | "fail_sweep" | "fail_return"; reason: string }
  | { type: "take" | "return"; txHash: string }
  | { type: "pay"; reference: string | null }
  | { type: "fail_payout"; reference: string | null; reason: string };
export type WithdrawalActionType = WithdrawalAction["type"];

export type Destination = { type: AccountType; account: string; name: string };

/** The partner's fee comes on top of what is paid out. The exchange rate: fiat major units per unit of the crypto. */
export type Withdrawal = OrderFacts & {
  /** null: out of the partner's own Safe. */
  memberId: string | null;
  externalUserId: string | null;
  step: WithdrawalStep;
  /** Crypto that is taken, for amount and fee together. */
  sourceAmountBase: bigint;
  sourceCurrency: string;
  safeAddress: string;
  /** The sweep's destination; null before. */
  treasuryAddress: string | null;
  destination: Destination;
  /** Of the return; `txHash` is the sweep's. Each once it is final. */
  returnTxHash: string | null;
};

export function withdrawalStatus(withdrawal: Pick<Withdrawal, "step">): FiatStatus {
  return WITHDRAWAL_STEP_FACTS[withdrawal.step].status;
}

/** Whether the table allows the action at such a step. */
export function allowsWithdrawal(step: WithdrawalStep, action: WithdrawalActionType): boolean {
  return WITHDRAWAL_LIFECYCLE[action].from === step;
}

/** The withdrawal after `action` at the instant `now` (business time). @throws IllegalFiatMove where the table has no such row. */
export function advanceWithdrawal(withdrawal: Withdrawal, action: WithdrawalAction, now: Date): Withdrawal {
  if (!allowsWithdrawal(withdrawal.step, action.type)) {
    throw new IllegalFiatMove(`a withdrawal that is ${withdrawal.step} cannot ${action.type}`);
  }
  const moved: Withdrawal = { ...withdrawal, step: WITHDRAWAL_LIFECYCLE[action.type].to, updatedAt: now };
  switch (action.type) {
    case "sweep":
      return { ...moved, treasuryAddress: action.treasuryAddress };
    case "give_up":
    case "fail_sweep":
      return { ...moved, failureReason: action.reason };
    case "cancel":
    case "cancel_sweep":
      return { ...moved, failureReason: CANCELLED_BY_PARTNER, cancelledAt: now };
    case "take":
      return { ...moved, txHash: action.txHash };
    case "pay":
      return { ...moved, providerReference: action.reference ?? moved.providerReference, completedAt: now };
    case "fail_payout":
      return { ...moved, providerReference: action.reference ?? moved.providerReference, failureReason: action.reason };
    case "return":
      return { ...moved, returnTxHash: action.txHash, failureReason: `${moved.failureReason} The crypto was returned.` };
    case "fail_return":
      return { ...moved, failureReason: `${moved.failureReason} The crypto could not be returned: ${action.reason}` };
  }
}

/** The action that a provider's report demands of a withdrawal, or null when it has no effect. */
export function applyWithdrawalUpdate(
  withdrawal: Withdrawal,
  word: ProviderWord,
): { effect: "applied"; action: WithdrawalAction } | { effect: Exclude<WordEffect, "applied">; action: null } {
  const { step, providerReference } = withdrawal;
  const settled = (status: ProviderWord["status"]) => ({
    effect: weighAgain({ status, reference: providerReference }, word),
    action: null,
  });
  switch (step) {
    case "paying_out":
      return { effect: "applied", action: payoutAction(word) };
    case "paid":
      return settled("succeeded");
    case "returning":
    case "returned":
    case "unreturned":
      return settled("failed");
    case "reserved":
    case "sweeping":
    case "released":
      // It was never submitted: whatever the provider reports, none of our money moved.
      return { effect: "contradicted", action: null };
  }
}

function payoutAction({ status, reference, reason }: ProviderWord): WithdrawalAction {
  if (status === "succeeded") return { type: "pay", reference };
  return { type: "fail_payout", reference, reason: plainReason(reason, "The provider could not pay out.") };
}
