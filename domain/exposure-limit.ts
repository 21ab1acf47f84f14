import { findFiatCurrency } from "./currency.ts";
import { type Decimal, decimal, floorToUnits, formatDecimal, multiply } from "./decimal.ts";
import type { Finding } from "./payment-check.ts";

/**
 * - `velocity`: what is confirmed within an hour or a day, counted by partner, pair, destination, or all together.
 * - `wallet`: what leaves one treasury wallet within an hour or a day.
 * - `credit_line`: what a partner owes for what was paid out, and what is on its way; in units of the source currency.
 * - `new_destination`, `new_key`: how long ago a destination was first paid, or an API key was made, before it counts as known.
 * - `allow_list`: the only destinations that are paid.
 */
export const LIMIT_KINDS = ["velocity", "wallet", "credit_line", "new_destination", "new_key", "allow_list"] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];

/** `dry_run`: it only records. */
export const LIMIT_MODES = ["enforce", "dry_run", "off"] as const;
export type LimitMode = (typeof LIMIT_MODES)[number];

/** `pair`: a partner's pair. */
export const LIMIT_COUNTED_BY = ["partner", "pair", "destination", "all"] as const;
export type LimitCountedBy = (typeof LIMIT_COUNTED_BY)[number];

/** What a limit says. Of limits of one kind, counted by the same over the same window, the one that names most about a payment holds. */
export type LimitTerms = {
  kind: LimitKind;
  mode: LimitMode;
  /** Whom it concerns; null: any. */
  partnerId: string | null;
  sourceCurrency: string | null;
  destinationCurrency: string | null;
  chain: string | null;
  countedBy: LimitCountedBy | null;
  windowSeconds: number | null;
  /** Of an amount: either so much, in units of 10⁻¹⁸, or so many times the pair's maximum. */
  amountAtto: bigint | null;
  timesMaximum: number | null;
  waitSeconds: number | null;
  /** In lower case. */
  addresses: readonly string[] | null;
};
export type Limit = LimitTerms & { id: string; version: number; reason: string; madeBy: string | null; madeAt: Date };

export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;
const ATTO = 18;

/** A window is counted in stretches: one that has begun counts until all of it is out of the window, so that no window ever holds more. */
export function stretchSeconds(windowSeconds: number): number {
  return windowSeconds <= HOUR_SECONDS ? 300 : 3_600;
}

/** When the stretch began that `now` is in. */
export function stretchAt(windowSeconds: number, now: Date): Date {
  const stretchMs = stretchSeconds(windowSeconds) * 1_000;
  return new Date(Math.floor(now.getTime() / stretchMs) * stretchMs);
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

/** A payment as limits look at it. */
export type LimitedPayment = {
  amountBase: bigint;
  tokenDecimals: number;
  currency: string;
  /** Of a settlement; null of what has no source (a top-up). */
  source: { amountMinor: bigint; currency: string; exchangeRate: Decimal; maximumMinor: bigint } | null;
  recipient: string;
};

/** What is known of a payment that a limit concerns, read once nobody else counts by it. */
export type LimitAsked = Pick<
  Limit,
  "id" | "version" | Exclude<keyof LimitTerms, "partnerId" | "sourceCurrency" | "destinationCurrency" | "chain" | "mode">
> & {
  mode: "enforce" | "dry_run";
  /** What is counted: a partner, a pair, a destination, a wallet; null for what counts nothing. */
  counter: string | null;
  /** Counted so far within the window; of a credit line, what is owed. */
  usedAtto: bigint;
  /** It counts for this payment already. */
  isCharged: boolean;
  /** Of a new destination or key: it has been known for as long as is asked. */
  isKnown: boolean;
};

/** What a limit says of a payment. `now`: business time. Pure: everything that it depends on is told. */
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
      const isListed = limit.addresses?.includes(payment.recipient.toLowerCase()) === true;
      const facts = { destination: payment.recipient, listed: limit.addresses?.length ?? 0 };
      return found(limit, isListed, "The destination is not on the list of those that are paid.", facts);
    }
  }
}

function judgeWindow(limit: LimitAsked, payment: LimitedPayment, now: Date): Finding {
  const amount = toAtto(payment.amountBase, payment.tokenDecimals);
  const ceiling = ceilingOf(limit, payment);
  // Without a figure nothing can be told, and what cannot be told holds; a multiple of a pair's maximum says nothing of what has no pair.
  const added = limit.isCharged ? 0n : amount;
  const passes = ceiling === null ? payment.source === null && limit.timesMaximum !== null : limit.usedAtto + added <= ceiling;
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
      : { charge: { counter: limit.counter, begins: stretchAt(seconds, now).toISOString(), amount: amount.toString() } };
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

/** The most that a window may hold; null where it cannot be told. */
function ceilingOf({ amountAtto, timesMaximum }: LimitAsked, { source }: LimitedPayment): bigint | null {
  if (amountAtto !== null) return amountAtto;
  if (timesMaximum === null || source === null) return null;
  const scale = findFiatCurrency(source.currency)?.exponent ?? 0;
  const maximum = { coefficient: source.maximumMinor * BigInt(timesMaximum), scale };
  return floorToUnits(multiply(maximum, source.exchangeRate), ATTO);
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

/** Limits as people write them: an amount is a plain decimal. */
export type WrittenLimit = Omit<LimitTerms, "amountAtto" | "windowSeconds" | "waitSeconds"> & {
  amount: string | null;
  window: "hour" | "day" | null;
  waitHours: number | null;
};

export function readLimit({ amount, window, waitHours, addresses, ...rest }: WrittenLimit): LimitTerms {
  return {
    ...rest,
    addresses: addresses === null ? null : [...new Set(addresses.map((address) => address.toLowerCase()))].toSorted(),
    amountAtto: amount === null ? null : floorToUnits(decimal(amount), ATTO),
    windowSeconds: window === null ? null : window === "hour" ? HOUR_SECONDS : DAY_SECONDS,
    waitSeconds: waitHours === null ? null : Math.round(waitHours * HOUR_SECONDS),
  };
}

export const LIMIT_ID = /^[a-z0-9][a-z0-9-]{1,58}[a-z0-9]$/;

/** What does not fit together in a limit, by the field. */
export function faultsOfLimit(terms: LimitTerms): { field: string; message: string }[] {
  const counts = terms.kind === "velocity" || terms.kind === "wallet";
  const waits = terms.kind === "new_destination" || terms.kind === "new_key";
  const faults: { field: string; message: string }[] = [];
  const must = (holds: boolean, field: string, message: string) => void (holds || faults.push({ field, message }));
  must((terms.windowSeconds !== null) === counts, "window", counts ? "An hour or a day." : "Such a limit has no window.");
  must((terms.countedBy !== null) === (terms.kind === "velocity"), "counted_by", "What a velocity is counted by; nothing of other kinds.");
  const figures = [terms.amountAtto, terms.timesMaximum].filter((figure) => figure !== null).length;
  if (counts) must(figures === 1, "amount", "Either an amount, or so many times the pair's maximum.");
  else if (terms.kind === "credit_line") {
    must(terms.amountAtto !== null && terms.timesMaximum === null, "amount", "An amount in the source currency.");
    must(terms.sourceCurrency !== null, "source_currency", "A credit line is one of a source currency.");
  } else must(figures === 0, "amount", "Such a limit has no amount.");
  must(terms.amountAtto === null || terms.amountAtto >= 0n, "amount", "Not below zero.");
  must(terms.timesMaximum === null || (Number.isInteger(terms.timesMaximum) && terms.timesMaximum > 0), "times_maximum", "A whole number.");
  must((terms.waitSeconds !== null) === waits, "wait_hours", waits ? "How many hours." : "Such a limit has nothing to wait for.");
  must(terms.waitSeconds === null || terms.waitSeconds > 0, "wait_hours", "More than none.");
  must(
    (terms.addresses !== null) === (terms.kind === "allow_list"),
    "addresses",
    "The destinations of an allow-list; nothing of other kinds.",
  );
  return faults;
}
