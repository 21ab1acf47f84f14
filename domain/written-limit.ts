import { decimal, floorToUnits } from "./decimal.ts";
import { DAY_SECONDS, HOUR_SECONDS, type LimitTerms } from "./exposure-limit.ts";

const ATTO = 18;

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

type LimitFault = { field: string; message: string };

/** What does not fit together in a limit, by the field. */
export function faultsOfLimit(terms: LimitTerms): LimitFault[] {
  const counts = terms.kind === "velocity" || terms.kind === "wallet";
  const waits = terms.kind === "new_destination" || terms.kind === "new_key";
  const faults: LimitFault[] = [];
  const must = (holds: boolean, field: string, message: string) => void (holds || faults.push({ field, message }));
  must((terms.windowSeconds !== null) === counts, "window", counts ? "An hour or a day." : "Such a limit has no window.");
  must((terms.countedBy !== null) === (terms.kind === "velocity"), "counted_by", "What a velocity is counted by; nothing of other kinds.");
  const figures = [terms.amountAtto, terms.timesMaximum].filter((figure) => figure !== null).length;
  if (terms.kind === "wallet") must(terms.amountAtto !== null && figures === 1, "amount", "A wallet's ceiling is an amount.");
  else if (counts) must(figures === 1, "amount", "Either an amount, or so many times the pair's maximum.");
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
  return [...faults, ...faultsOfPurpose(terms)];
}

/** What a purpose has nothing of: a withdrawal leaves a Safe and no treasury wallet, a return goes back to where it came from, a settlement has no member. */
function faultsOfPurpose({ kind, purpose, countedBy }: LimitTerms): LimitFault[] {
  const fault = (message: string) => [{ field: "purpose", message }];
  if (kind === "wallet" && purpose === "withdrawal") return fault("A withdrawal's crypto leaves a Safe, and no treasury wallet.");
  if (kind === "credit_line" && purpose !== null && purpose !== "settlement") return fault("Partners owe for settlements alone.");
  const asksWho = kind === "new_key" || kind === "new_destination" || kind === "allow_list";
  if (asksWho && purpose === "return") return fault("A return goes back to the Safe that it came from.");
  if (countedBy === "member" && purpose === "settlement") return fault("A settlement is of no member.");
  return [];
}
