import { compare, type Decimal, floorToUnits, formatDecimal } from "./decimal.ts";
import type { HaltScope } from "./halt-scope.ts";
import type { Metadata } from "./metadata.ts";
import type { AgreedPrice } from "./quote.ts";
import { Refusal } from "./refusal.ts";

/** What withdrawals and top-ups have in common: statuses, the fiat provider's reports, and how they are judged. */

/** The statuses on the wire (contract, part 6). The value set never changes. */
export const FIAT_STATUSES = ["pending", "processing", "completed", "failed"] as const;
export type FiatStatus = (typeof FIAT_STATUSES)[number];

/** The provider's name where no other is configured, and on every order from before orders had one. */
export const FIRST_PROVIDER = "fiat";

/** A halt stops all orders to one provider together. Questions to it and its reports continue, and so do the other providers. */
export function providerScope(provider: string): HaltScope {
  return { kind: "provider", key: provider };
}

/** How fiat reaches or leaves a person. */
export const ACCOUNT_TYPES = ["mobile_money", "bank_account"] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

/** How a provider's report arrived: by its callback, in its answer to the order, in its answer to a question, or through an operator. */
export const WORD_SOURCES = ["callback", "answer", "look_up", "operator"] as const;
export type WordSource = (typeof WORD_SOURCES)[number];

/** A final report of the fiat provider about one of our orders. */
export type ProviderWord = {
  status: "succeeded" | "failed";
  /** The provider's own name for the payment. */
  reference: string | null;
  /** Why it failed, for people; null when it gives no reason. */
  reason: string | null;
};

/**
 * The effect of a report: it moves the order, repeats what is known, reports a payment that came too late, or contradicts what is recorded.
 * Only the first moves anything; all are recorded.
 */
export const WORD_EFFECTS = ["applied", "repeated", "late", "contradicted"] as const;
export type WordEffect = (typeof WORD_EFFECTS)[number];

/** The last applied report, and its provider reference. */
export type SettledWord = { status: ProviderWord["status"]; reference: string | null };

/**
 * Weighs a word about an order that the provider has settled already: the same again is a repetition, unless it comes under
 * another reference, because then money moved twice.
 */
export function weighAgain(settled: SettledWord, word: ProviderWord): "repeated" | "contradicted" {
  const another = settled.reference !== null && word.reference !== null && settled.reference !== word.reference;
  return word.status === settled.status && !(another && word.status === "succeeded") ? "repeated" : "contradicted";
}

const MOST_REASON = 300;

/** A provider's reason as one line that can be stored and shown: no control characters, at most 300 characters. */
export function plainReason(reason: string | null, otherwise: string): string {
  const line = [...(reason ?? "").toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")].slice(0, MOST_REASON).join("").trim();
  if (line === "") return otherwise;
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** What a top-up and a withdrawal have in common. Their lives differ. */
export type OrderFacts = AgreedPrice & {
  id: string;
  partnerId: string;
  /** The key whose secret signs the callback: the one that created it, or for a person's request the partner's newest. */
  apiKeyId: string;
  /** The partner's reference, unique for the partner. */
  externalId: string;
  /** Fiat that is collected or paid out, exactly. */
  amountMinor: bigint;
  /** The partner's fee, in the same currency. */
  feeMinor: bigint;
  currency: string;
  chain: string;
  tokenAddress: string | null;
  tokenDecimals: number;
  chargeFeePercentage: Decimal;
  callbackUrl: string | null;
  /** The fiat provider that the order began with: it alone gets the order, is asked about it, and is believed. */
  provider: string;
  /** The `traceparent` under which it was asked for; null: it was not traced. */
  trace: string | null;
  /** The partner's own notes; null: none. */
  metadata: Metadata | null;
  /** The provider's own name for the payment. */
  providerReference: string | null;
  txHash: string | null;
  failureReason: string | null;
  createdAt: Date;
  updatedAt: Date;
  completedAt: Date | null;
  /** When its partner cancelled it, before anything had moved; null: it did not. */
  cancelledAt: Date | null;
};

/** Why a cancelled order failed. */
export const CANCELLED_BY_PARTNER = "The partner cancelled it.";

/** A transition that the table does not allow: a defect, or somebody else was faster. Never an answer to a partner. */
export class IllegalFiatMove extends Error {
  override readonly name = "IllegalFiatMove";
}

/** The partner's fee in fiat minor units: a percentage of 0 to 100, rounded down, so that it is never more than it says. */
export function chargeFee(amountMinor: bigint, percentage: Decimal): bigint {
  if (percentage.coefficient < 0n || compare(percentage, { coefficient: 100n, scale: 0 }) > 0) {
    throw new RangeError(`no percentage: ${formatDecimal(percentage)}`);
  }
  return floorToUnits({ coefficient: amountMinor * percentage.coefficient, scale: percentage.scale + 2 }, 0);
}

/** The balance of a currency's pool, in minor units. `reserved` is promised to withdrawals that the provider has not settled. */
export type FiatPool = {
  currency: string;
  totalMinor: bigint;
  reservedMinor: bigint;
  minimumMinor: bigint;
  maximumMinor: bigint;
};

export function availableMinor(pool: Pick<FiatPool, "totalMinor" | "reservedMinor">): bigint {
  return pool.totalMinor - pool.reservedMinor;
}

/** @throws Refusal `amount_too_small` or `amount_too_large` (422) outside of the pool's limits, `insufficient_liquidity` beyond what is free. */
export function refuseBeyondPool(pool: FiatPool, amountMinor: bigint): void {
  const outside = (code: "amount_too_small" | "amount_too_large", message: string) =>
    new Refusal(code, { detail: message, errors: [{ pointer: "/amount", code, message }] });
  if (amountMinor < pool.minimumMinor) throw outside("amount_too_small", `The amount is below the pool's minimum of ${pool.minimumMinor}.`);
  if (amountMinor > pool.maximumMinor) throw outside("amount_too_large", `The amount is above the pool's maximum of ${pool.maximumMinor}.`);
  if (amountMinor > availableMinor(pool)) {
    throw new Refusal("insufficient_liquidity", { detail: `The ${pool.currency} pool cannot pay out this amount right now.` });
  }
}

/** What a pool has, has promised and is to get, in parts per thousand of it all: together never more than a thousand. */
export function poolShares(pool: FiatPool & { pendingInMinor: bigint }): { available: number; reserved: number; pendingIn: number } {
  const available = availableMinor(pool);
  const whole = available + pool.reservedMinor + pool.pendingInMinor;
  const share = (part: bigint) => (whole === 0n ? 0 : Number((part * 1_000n) / whole));
  return { available: share(available), reserved: share(pool.reservedMinor), pendingIn: share(pool.pendingInMinor) };
}
