import { DAY_SECONDS, HOUR_SECONDS, type LimitTerms } from "./exposure-limit.ts";

const EVERYBODY = { partnerId: null, sourceCurrency: null, destinationCurrency: null, chain: null } as const;
const BLANK = {
  ...EVERYBODY,
  countedBy: null,
  windowSeconds: null,
  amountAtto: null,
  timesMaximum: null,
  waitSeconds: null,
  addresses: null,
} as const;

/**
 * What a live service begins with, until an administrator sets something else: in multiples of what each pair's terms call large. What would
 * hold most of an honest partner's first day (new destinations and keys) only records.
 */
export const DEFAULT_LIMITS: readonly (LimitTerms & { id: string })[] = [
  { ...BLANK, id: "default-hour", kind: "velocity", mode: "enforce", countedBy: "pair", windowSeconds: HOUR_SECONDS, timesMaximum: 10 },
  { ...BLANK, id: "default-day", kind: "velocity", mode: "enforce", countedBy: "pair", windowSeconds: DAY_SECONDS, timesMaximum: 50 },
  {
    ...BLANK,
    id: "default-destination-day",
    kind: "velocity",
    mode: "enforce",
    countedBy: "destination",
    windowSeconds: DAY_SECONDS,
    timesMaximum: 20,
  },
  { ...BLANK, id: "default-wallet-hour", kind: "wallet", mode: "enforce", windowSeconds: HOUR_SECONDS, timesMaximum: 30 },
  { ...BLANK, id: "default-new-destination", kind: "new_destination", mode: "dry_run", waitSeconds: DAY_SECONDS },
  { ...BLANK, id: "default-new-key", kind: "new_key", mode: "dry_run", waitSeconds: DAY_SECONDS },
];
