import { displayDecimals, isPublishable, parseAmount } from "./money.ts";
import { type Fault, Refusal } from "./refusal.ts";

/** How long a quote is valid, and how long after an approval, unless an operator has set another time for the pair. */
export const USUAL_LIFETIMES_SECONDS = { quote: 300, approved: 1_800 } as const;

/** The terms of a pair on a chain. An operator sets all of them, and a partner's override replaces all of them. */
export type Terms = {
  enabled: boolean;
  /** Taken off the mid rate: the spread of the published rate, in hundredths of a per cent. */
  spreadBps: number;
  /** Fixed, in the destination token's base units; always a multiple of the smallest amount that an answer can show. */
  platformFeeBase: bigint;
  /** Inclusive. */
  minimumSourceMinor: bigint;
  /** Strictly above it a settlement needs an admin's approval. */
  maximumSourceMinor: bigint;
  /** Strictly above it two different people must approve; null: one is always enough. Never below the maximum. */
  twoApprovalsAboveMinor: bigint | null;
  /** Strictly above it the items of a batch together need an approval; null: their sum is not judged. Never below the maximum. */
  batchMaximumSourceMinor: bigint | null;
  quoteLifetimeSeconds: number;
  /** The lifetime that an approval gives. */
  approvedLifetimeSeconds: number;
};

export type PairOnChain = { sourceCurrency: string; destinationCurrency: string; chain: string };

/** One version of a pair's terms. Versions never change: a settlement keeps the id of the one it was priced under. */
export type PairTerms = Terms &
  PairOnChain & {
    id: string;
    /** null: the pair's own terms; otherwise the override of that partner. */
    partnerId: string | null;
    /** Counts from 1, separately for the pair and for each partner's override. */
    version: number;
  };

/** Terms as people write them: amounts are plain decimals in units of their currencies. */
export type WrittenTerms = Pick<Terms, "enabled" | "spreadBps" | "quoteLifetimeSeconds" | "approvedLifetimeSeconds"> & {
  platformFee: string;
  minimumSourceAmount: string;
  maximumSourceAmount: string;
  twoApprovalsAboveAmount: string | null;
  batchMaximumSourceAmount?: string | null;
};

/**
 * The parsed input, in the smallest units. {@link faultsOfTerms} checks whether it makes sense.
 *
 * @throws Refusal `validation_failed` for an amount finer than its currency.
 */
export function readTerms(written: WrittenTerms, sourceExponent: number, tokenDecimals: number): Terms {
  const {
    platformFee,
    minimumSourceAmount,
    maximumSourceAmount,
    twoApprovalsAboveAmount,
    batchMaximumSourceAmount = null,
    ...rest
  } = written;
  const errors: Fault[] = [];
  const read = (pointer: string, text: string, decimals: number) => {
    const units = parseAmount(text, decimals);
    if (units === null) errors.push({ pointer, code: "out_of_range", message: `must have at most ${decimals} decimals` });
    return units ?? 0n;
  };
  const source = (pointer: string, text: string) => read(pointer, text, sourceExponent);
  const terms: Terms = {
    ...rest,
    platformFeeBase: read("/platform_fee", platformFee, tokenDecimals),
    minimumSourceMinor: source("/minimum_source_amount", minimumSourceAmount),
    maximumSourceMinor: source("/maximum_source_amount", maximumSourceAmount),
    twoApprovalsAboveMinor: twoApprovalsAboveAmount === null ? null : source("/two_approvals_above_amount", twoApprovalsAboveAmount),
    batchMaximumSourceMinor: batchMaximumSourceAmount === null ? null : source("/batch_maximum_source_amount", batchMaximumSourceAmount),
  };
  if (errors.length > 0) throw new Refusal("validation_failed", { errors });
  return terms;
}

/** A quote that is guaranteed for longer than this is a free option on the market: taken for a slip of the hand. */
const LONGEST_LIFETIME_SECONDS = 86_400;
/** The largest amount that a request can name (contract, part 1). */
const MOST_MINOR = 2n ** 53n - 1n;

/** The faults of the terms that an operator wants to set, each with its pointer. */
export function faultsOfTerms(terms: Terms, tokenDecimals: number): Fault[] {
  const faults: Fault[] = [];
  const fault = (pointer: string, message: string) => faults.push({ pointer, code: "out_of_range", message });
  if (!isWhole(terms.spreadBps, 0, 9_999)) fault("/spread_bps", "must be a whole number from 0 to 9999");
  if (terms.minimumSourceMinor < 1n) fault("/minimum_source_amount", "must be at least 1");
  if (terms.maximumSourceMinor > MOST_MINOR) fault("/maximum_source_amount", `must be at most ${MOST_MINOR}`);
  if (terms.maximumSourceMinor < terms.minimumSourceMinor) fault("/maximum_source_amount", "must not be below the minimum");
  if (terms.twoApprovalsAboveMinor !== null) {
    if (terms.twoApprovalsAboveMinor > MOST_MINOR) fault("/two_approvals_above_amount", `must be at most ${MOST_MINOR}`);
    if (terms.twoApprovalsAboveMinor < terms.maximumSourceMinor) fault("/two_approvals_above_amount", "must not be below the maximum");
  }
  if (terms.batchMaximumSourceMinor !== null) {
    if (terms.batchMaximumSourceMinor > MOST_MINOR) fault("/batch_maximum_source_amount", `must be at most ${MOST_MINOR}`);
    if (terms.batchMaximumSourceMinor < terms.maximumSourceMinor) fault("/batch_maximum_source_amount", "must not be below the maximum");
  }
  if (!isWhole(terms.quoteLifetimeSeconds, 1, LONGEST_LIFETIME_SECONDS)) fault("/quote_lifetime_seconds", lifetimeRule);
  if (!isWhole(terms.approvedLifetimeSeconds, 1, LONGEST_LIFETIME_SECONDS)) fault("/approved_lifetime_seconds", lifetimeRule);
  if (!isPublishable(terms.platformFeeBase, tokenDecimals)) {
    // A fee finer than what an answer shows would make gross − fee differ from what the partner reads.
    fault("/platform_fee", `must not be negative and have at most ${displayDecimals(tokenDecimals)} decimals and 15 digits`);
  }
  return faults;
}

const lifetimeRule = `must be a whole number of seconds from 1 to ${LONGEST_LIFETIME_SECONDS}`;

/**
 * Refuses amounts that the pair does not accept at all. Above the maximum is not a refusal: it needs an approval.
 *
 * @throws Refusal `amount_too_small` below the minimum (contract, part 9 "Errors"); `at` is the amount's place in the request.
 */
export function refuseBelowMinimum(
  terms: Pick<Terms, "minimumSourceMinor">,
  sourceAmountMinor: bigint,
  at: Pick<Fault, "pointer" | "parameter"> = { pointer: "/source_amount" },
): void {
  if (sourceAmountMinor >= terms.minimumSourceMinor) return;
  const message = `The amount is below the pair's minimum of ${terms.minimumSourceMinor}.`;
  throw new Refusal("amount_too_small", { detail: message, errors: [{ ...at, code: "amount_too_small", message }] });
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}
