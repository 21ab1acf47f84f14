import { DAY_SECONDS, HOUR_SECONDS, type LimitTerms } from "./exposure-limit.ts";

const EVERYBODY = { purpose: null, partnerId: null, sourceCurrency: null, destinationCurrency: null, chain: null } as const;
/** What a limit says of nothing in particular. */
export const BLANK_LIMIT = {
  ...EVERYBODY,
  countedBy: null,
  windowSeconds: null,
  amountAtto: null,
  timesMaximum: null,
  waitSeconds: null,
  addresses: null,
} as const;
const VELOCITY = { ...BLANK_LIMIT, kind: "velocity", mode: "enforce" } as const;
/** In units of the token: what one hot wallet may lose within an hour, where nobody has said anything else. */
const WALLET_HOUR = 100_000n * 10n ** 18n;

/**
 * The limits of a new live service, until an administrator changes them: multiples of what each pair's terms call large, and an amount per
 * wallet. Payouts have their own windows, so that they and treasury payments do not use up each other's limits. A payout to a new payee waits
 * a day. Other limits that would hold most of an honest partner's first day (new destinations and keys) only record.
 */
export const DEFAULT_LIMITS: readonly (LimitTerms & { id: string })[] = [
  { ...VELOCITY, id: "default-hour", countedBy: "pair", windowSeconds: HOUR_SECONDS, timesMaximum: 10 },
  { ...VELOCITY, id: "default-day", countedBy: "pair", windowSeconds: DAY_SECONDS, timesMaximum: 50 },
  { ...VELOCITY, id: "default-destination-day", countedBy: "destination", windowSeconds: DAY_SECONDS, timesMaximum: 20 },
  { ...VELOCITY, id: "default-member-day", countedBy: "member", windowSeconds: DAY_SECONDS, timesMaximum: 10 },
  { ...VELOCITY, id: "default-payout-hour", purpose: "withdrawal", countedBy: "pair", windowSeconds: HOUR_SECONDS, timesMaximum: 10 },
  { ...VELOCITY, id: "default-payout-day", purpose: "withdrawal", countedBy: "pair", windowSeconds: DAY_SECONDS, timesMaximum: 50 },
  { ...VELOCITY, id: "default-payee-day", purpose: "withdrawal", countedBy: "destination", windowSeconds: DAY_SECONDS, timesMaximum: 5 },
  { ...VELOCITY, id: "default-payee-hour", purpose: "withdrawal", countedBy: "destination", windowSeconds: HOUR_SECONDS, timesMaximum: 3 },
  {
    ...VELOCITY,
    id: "default-payout-member-hour",
    purpose: "withdrawal",
    countedBy: "member",
    windowSeconds: HOUR_SECONDS,
    timesMaximum: 5,
  },
  { ...BLANK_LIMIT, id: "default-new-payee", kind: "new_destination", mode: "enforce", purpose: "withdrawal", waitSeconds: DAY_SECONDS },
  { ...BLANK_LIMIT, id: "default-wallet-hour", kind: "wallet", mode: "enforce", windowSeconds: HOUR_SECONDS, amountAtto: WALLET_HOUR },
  { ...BLANK_LIMIT, id: "default-new-destination", kind: "new_destination", mode: "dry_run", waitSeconds: DAY_SECONDS },
  { ...BLANK_LIMIT, id: "default-new-key", kind: "new_key", mode: "dry_run", waitSeconds: DAY_SECONDS },
];
