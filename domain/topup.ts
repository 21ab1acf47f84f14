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
 * A top-up's step. `collecting`: the provider collects the fiat. `sending`: it has, and the crypto is in flight. The others are ends:
 * `sent`, `uncollected` (nobody paid), `unsent` (paid, but the chain refuses the crypto: a person has to settle it with the partner).
 */
export const TOPUP_STEPS = ["collecting", "sending", "sent", "uncollected", "unsent"] as const;
export type TopupStep = (typeof TOPUP_STEPS)[number];

/** How long (business time) it is open at its price; after that nobody is asked to pay any more. */
export const TOPUP_LIFETIME_MS = 86_400_000;
/** A payment counts as in time when it is reported up to this long after that, because the provider's report takes a moment. */
const HEARD_WITHIN_MS = 15 * 60_000;

export const TOPUP_EVENTS = ["topup.completed", "topup.failed", "topup.cancelled"] as const;
export type TopupEvent = (typeof TOPUP_EVENTS)[number];

/** What each step is on the wire. */
export const TOPUP_STEP_STATUS: Record<TopupStep, FiatStatus> = {
  collecting: "pending",
  sending: "processing",
  sent: "completed",
  uncollected: "failed",
  unsent: "failed",
};

/** The life of a top-up (contract, part 6) as one table. `advanceTopup` obeys it, the exhaustive test walks it. */
export const TOPUP_LIFECYCLE = {
  collect: { from: "collecting", to: "sending", callback: null },
  fail_collection: { from: "collecting", to: "uncollected", callback: "topup.failed" },
  expire: { from: "collecting", to: "uncollected", callback: "topup.failed" },
  cancel: { from: "collecting", to: "uncollected", callback: "topup.cancelled" },
  deliver: { from: "sending", to: "sent", callback: "topup.completed" },
  fail_delivery: { from: "sending", to: "unsent", callback: "topup.failed" },
} as const satisfies Record<string, TopupRow>;

export type TopupRow = { from: TopupStep; to: TopupStep; callback: TopupEvent | null };

/** What happens to a top-up, with what it brings along. */
export type TopupAction =
  | { type: "collect"; reference: string | null }
  | { type: "fail_collection"; reference: string | null; reason: string }
  | { type: "expire" | "cancel" }
  | { type: "deliver"; txHash: string }
  | { type: "fail_delivery"; reason: string };
export type TopupActionType = TopupAction["type"];

/** Whom the fiat is collected from. */
export type TopupSource = { type: AccountType; account: string };

/** How the member pays: what to name, and what to do. */
export type PaymentAdvice = { reference: string; instructions: string };

/** The partner's fee is taken out of what is collected. The exchange rate: units of the crypto per fiat major unit. */
export type Topup = OrderFacts & {
  memberId: string;
  externalUserId: string;
  step: TopupStep;
  /** Crypto that is delivered, for the amount without the fee. */
  destinationAmountBase: bigint;
  destinationCurrency: string;
  walletAddress: string;
  source: TopupSource;
  payment: PaymentAdvice;
  /** null: stored by a version that knew no expiry; see {@link expiryOf}. */
  expiresAt: Date | null;
  /** When it expired because nobody had paid; null: it did not. */
  expiredAt: Date | null;
  /** When the provider reported a payment after that: an operator's case. Nothing was sent for it. */
  latePaidAt: Date | null;
};

/** Until when it can be paid. */
export function expiryOf({ expiresAt, createdAt }: Pick<Topup, "expiresAt" | "createdAt">): Date {
  return expiresAt ?? new Date(createdAt.getTime() + TOPUP_LIFETIME_MS);
}

export function hasExpired(topup: Pick<Topup, "expiresAt" | "createdAt">, now: Date): boolean {
  return now >= expiryOf(topup);
}

/** Whether a payment that is reported now came too late for a top-up that is still open. */
export function isTooLate(topup: Pick<Topup, "expiresAt" | "createdAt">, now: Date): boolean {
  return now.getTime() > expiryOf(topup).getTime() + HEARD_WITHIN_MS;
}

export function topupStatus(topup: Pick<Topup, "step">): FiatStatus {
  return TOPUP_STEP_STATUS[topup.step];
}

/** Whether the table allows the action at such a step. */
export function allowsTopup(step: TopupStep, action: TopupActionType): boolean {
  return TOPUP_LIFECYCLE[action].from === step;
}

/** The top-up after `action` at the instant `now` (business time). @throws IllegalFiatMove where the table has no such row. */
export function advanceTopup(topup: Topup, action: TopupAction, now: Date): Topup {
  if (!allowsTopup(topup.step, action.type)) throw new IllegalFiatMove(`a top-up that is ${topup.step} cannot ${action.type}`);
  const moved: Topup = { ...topup, step: TOPUP_LIFECYCLE[action.type].to, updatedAt: now };
  switch (action.type) {
    case "collect":
      return { ...moved, providerReference: action.reference ?? moved.providerReference };
    case "fail_collection":
      return { ...moved, providerReference: action.reference ?? moved.providerReference, failureReason: action.reason };
    case "expire":
      return { ...moved, failureReason: "Nobody paid before it expired.", expiredAt: now };
    case "cancel":
      return { ...moved, failureReason: CANCELLED_BY_PARTNER, cancelledAt: now };
    case "deliver":
      return { ...moved, txHash: action.txHash, completedAt: now };
    case "fail_delivery":
      return { ...moved, failureReason: action.reason };
  }
}

/** The action that a provider's report demands of a top-up, or null when it moves nothing. `late`: it was paid after it had expired. */
export function applyTopupUpdate(
  topup: Topup,
  word: ProviderWord,
): { effect: "applied"; action: TopupAction } | { effect: Exclude<WordEffect, "applied">; action: null } {
  if (topup.step === "collecting") return { effect: "applied", action: collectionAction(word) };
  const { expiredAt, latePaidAt } = topup;
  if (expiredAt !== null && latePaidAt === null) return { effect: word.status === "succeeded" ? "late" : "repeated", action: null };
  const status = topup.step === "uncollected" && latePaidAt === null ? "failed" : "succeeded";
  return { effect: weighAgain({ status, reference: topup.providerReference }, word), action: null };
}

function collectionAction({ status, reference, reason }: ProviderWord): TopupAction {
  if (status === "succeeded") return { type: "collect", reference };
  return { type: "fail_collection", reference, reason: plainReason(reason, "The provider could not collect the payment.") };
}

/** The member's instructions until the provider gives better ones: with our own id the payment can always be found. */
export function paymentAdvice(topup: Pick<Topup, "id" | "source" | "currency">, amount: string): PaymentAdvice {
  const { type, account } = topup.source;
  const instructions =
    type === "mobile_money"
      ? `Confirm the request for ${topup.currency} ${amount} on the phone ${account}.`
      : `Transfer ${topup.currency} ${amount} from the account ${account} and give ${topup.id} as its reference.`;
  return { reference: topup.id, instructions };
}
