import { findFiatCurrency } from "./currency.ts";
import { type Decimal, divideDown, floorToUnits, formatDecimal, multiply } from "./decimal.ts";
import type { Finding } from "./payment-check.ts";

/**
 * - `velocity`: what is paid within an hour or a day, counted by partner, pair, destination, member, or all together.
 * - `wallet`: what leaves one treasury wallet within an hour or a day.
 * - `credit_line`: what a partner owes for settlements that were paid out, and for those on their way; in units of the source currency.
 * - `new_destination`, `new_key`: how long ago a destination was first paid, or an API key was made, before it counts as known.
 * - `allow_list`: the only destinations that are paid.
 * - `open_quotes`, `open_loss`: what is promised at a rate and not paid, of all partners together unless one is named, and what the rate has
 *   done to it since; in units of the source currency. Beyond them nothing is quoted; they hold no payment.
 */
export const LIMIT_KINDS = [
  "velocity",
  "wallet",
  "credit_line",
  "new_destination",
  "new_key",
  "allow_list",
  "open_quotes",
  "open_loss",
] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];
export type OpenLimitKind = "open_quotes" | "open_loss";

/** `dry_run`: it only records. */
export const LIMIT_MODES = ["enforce", "dry_run", "off"] as const;
export type LimitMode = (typeof LIMIT_MODES)[number];

/** `pair`: a partner's pair. `member`: of top-ups and withdrawals, whose they are. */
export const LIMIT_COUNTED_BY = ["partner", "pair", "destination", "member", "all"] as const;
export type LimitCountedBy = (typeof LIMIT_COUNTED_BY)[number];

/**
 * The purpose of the payment. A `withdrawal` pays fiat, and takes a token out of a Safe for it: it counts as that token, by the pair of its
 * terms, and its destination is the payee's account. A `return` brings a withdrawal's token back to its Safe.
 */
export const LIMIT_PURPOSES = ["settlement", "topup", "withdrawal", "return"] as const;
export type LimitPurpose = (typeof LIMIT_PURPOSES)[number];

/** A limit's content. Among limits of one kind with the same counter and window, the most specific one applies to a payment. */
export type LimitTerms = {
  kind: LimitKind;
  mode: LimitMode;
  /** What it concerns; null: whatever is paid. */
  purpose: LimitPurpose | null;
  /** Whom it concerns; null: any. */
  partnerId: string | null;
  sourceCurrency: string | null;
  destinationCurrency: string | null;
  chain: string | null;
  countedBy: LimitCountedBy | null;
  windowSeconds: number | null;
  /** An amount, in units of 10⁻¹⁸, or a multiple of the pair's maximum. A wallet's limit is an amount. */
  amountAtto: bigint | null;
  timesMaximum: number | null;
  waitSeconds: number | null;
  /** Wallets, and payees' accounts; in lower case. */
  addresses: readonly string[] | null;
};
export type Limit = LimitTerms & { id: string; version: number; reason: string; madeBy: string | null; madeAt: Date };

export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;
const ATTO = 18;
/** More digits than any amount has. */
const RATIO_DIGITS = 96;

/** A window is counted in buckets. A bucket counts until all of it is out of the window, so the count is never below the real sum. */
export function bucketSeconds(windowSeconds: number): number {
  return windowSeconds <= HOUR_SECONDS ? 300 : 3_600;
}

/** When the stretch began that `now` is in. */
export function bucketStart(windowSeconds: number, now: Date): Date {
  const bucketMs = bucketSeconds(windowSeconds) * 1_000;
  return new Date(Math.floor(now.getTime() / bucketMs) * bucketMs);
}

/** An amount of a token, in units of 10⁻¹⁸: rounded up, for a token that is finer. */
export function toAtto(amountBase: bigint, decimals: number): bigint {
  if (decimals <= ATTO) return amountBase * 10n ** BigInt(ATTO - decimals);
  const finer = 10n ** BigInt(decimals - ATTO);
  return (amountBase + finer - 1n) / finer;
}

export function fromAtto(amountAtto: bigint): string {
  return formatDecimal({ coefficient: amountAtto, scale: ATTO });
}

/** A payment in terms of limits. `amountBase`: of the token that is sent, or that a withdrawal takes. */
export type LimitedPayment = {
  amountBase: bigint;
  tokenDecimals: number;
  currency: string;
  /** Its fiat and its pair; null where its owner is unknown. */
  source: PaymentSource | null;
  /** A wallet; of a withdrawal, the payee's account. */
  recipient: string;
};
export type PaymentSource = {
  amountMinor: bigint;
  currency: string;
  exchangeRate: Decimal;
  /** The rate: units of the token per unit of the fiat currency or, for a withdrawal, the other way round. */
  rateIs: "token_per_fiat" | "fiat_per_token";
  maximumMinor: bigint;
};

/** Facts about a payment for a limit, read under the lock of its counter. */
export type LimitAsked = Pick<
  Limit,
  | "id"
  | "version"
  | Exclude<keyof LimitTerms, "kind" | "purpose" | "partnerId" | "sourceCurrency" | "destinationCurrency" | "chain" | "mode">
> & {
  kind: Exclude<LimitKind, OpenLimitKind>;
  mode: "enforce" | "dry_run";
  /** The counted object: a partner, a pair, a destination, a member, a wallet; null for a limit without counter. */
  counter: string | null;
  /** The amount counted so far within the window; for a credit line, the outstanding amount. */
  usedAtto: bigint;
  /** It counts for this payment already. */
  isCharged: boolean;
  /** For a new destination or key: it has been known for the required time. */
  isKnown: boolean;
};

/** A limit's verdict on a payment. `now`: business time. Pure: it depends only on its arguments. */
export function judgeLimit(limit: LimitAsked, payment: LimitedPayment, now: Date): Finding {
  switch (limit.kind) {
    case "velocity":
    case "wallet":
      return judgeWindow(limit, payment, now);
    case "credit_line":
      return judgeCredit(limit, payment);
    case "new_destination": {
      const facts = { destination: payment.recipient, wait_hours: hours(limit.waitSeconds) };
      return found(limit, limit.isKnown, `The destination was first paid less than ${facts.wait_hours} hours ago, or never.`, facts);
    }
    case "new_key": {
      const facts = { wait_hours: hours(limit.waitSeconds) };
      return found(limit, limit.isKnown, `The API key was made less than ${facts.wait_hours} hours ago.`, facts);
    }
    case "allow_list": {
      const asked = destinationKey(payment.recipient);
      const isListed = limit.addresses?.some((address) => destinationKey(address) === asked) === true;
      const facts = { destination: payment.recipient, listed: limit.addresses?.length ?? 0 };
      return found(limit, isListed, "The destination is not on the list of those that are paid.", facts);
    }
  }
}

function judgeWindow(limit: LimitAsked, payment: LimitedPayment, now: Date): Finding {
  const amount = toAtto(payment.amountBase, payment.tokenDecimals);
  const ceiling = ceilingOf(limit, payment);
  // Without a number nothing can be judged, and what cannot be judged is held.
  const added = limit.isCharged ? 0n : amount;
  const passes = ceiling !== null && limit.usedAtto + added <= ceiling;
  const seconds = limit.windowSeconds ?? HOUR_SECONDS;
  const facts = {
    amount: fromAtto(amount),
    used: fromAtto(limit.usedAtto),
    limit: ceiling === null ? null : fromAtto(ceiling),
    currency: payment.currency,
    counted: limit.counter,
    window_hours: hours(seconds),
  };
  const within = seconds === HOUR_SECONDS ? "an hour" : `${facts.window_hours} hours`;
  const words =
    ceiling === null
      ? "There is no maximum to count by."
      : `With ${facts.amount} ${payment.currency} it would be ${fromAtto(limit.usedAtto + added)} within ${within}, of at most ${facts.limit}.`;
  const charge =
    limit.isCharged || limit.counter === null
      ? {}
      : { charge: { counter: limit.counter, begins: bucketStart(seconds, now).toISOString(), amount: amount.toString() } };
  return { ...found(limit, passes, words, facts), ...charge };
}

function judgeCredit(limit: LimitAsked, { source }: LimitedPayment): Finding {
  if (source === null || limit.amountAtto === null) return found(limit, false, "There is nothing to count the credit by.", {});
  const amount = limit.isCharged ? 0n : creditAtto(source);
  const facts = {
    amount: fromAtto(amount),
    owed: fromAtto(limit.usedAtto),
    limit: fromAtto(limit.amountAtto),
    currency: source.currency,
  };
  const words = `With this the partner would owe ${fromAtto(limit.usedAtto + amount)} ${source.currency}, of at most ${facts.limit}.`;
  return found(limit, limit.usedAtto + amount <= limit.amountAtto, words, facts);
}

/** What a payment adds to what its partner owes. */
export function creditAtto({ amountMinor, currency }: { amountMinor: bigint; currency: string }): bigint {
  return toAtto(amountMinor, findFiatCurrency(currency)?.exponent ?? 0);
}

/** The most that a window may contain; null if unknown. */
function ceilingOf({ amountAtto, timesMaximum }: LimitAsked, { source }: LimitedPayment): bigint | null {
  if (amountAtto !== null) return amountAtto;
  if (timesMaximum === null || source === null) return null;
  const scale = findFiatCurrency(source.currency)?.exponent ?? 0;
  const maximum = { coefficient: source.maximumMinor * BigInt(timesMaximum), scale };
  const { exchangeRate: rate } = source;
  if (source.rateIs === "token_per_fiat") return floorToUnits(multiply(maximum, rate), ATTO);
  return rate.coefficient > 0n ? floorToUnits(divideDown(maximum, rate, RATIO_DIGITS), ATTO) : null;
}

function found(limit: LimitAsked, passes: boolean, words: string, facts: Record<string, unknown>): Finding {
  return {
    key: limit.id,
    version: String(limit.version),
    outcome: passes ? "pass" : "hold",
    dryRun: limit.mode === "dry_run",
    words: passes ? "Within the limit." : words,
    facts: { kind: limit.kind, ...facts },
  };
}

function hours(seconds: number | null): number {
  return (seconds ?? 0) / HOUR_SECONDS;
}

/** A destination for comparison: only letters and digits, because people write accounts with or without spaces and hyphens. */
export function destinationKey(written: string): string {
  return written.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
