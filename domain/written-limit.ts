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
  must((terms.windowSeconds !== null) === counts, "window", counts ? "Choose an hour or a day." : "This kind of limit has no window.");
  must((terms.countedBy !== null) === (terms.kind === "velocity"), "counted_by", "Only a velocity limit has this field, and it needs one.");
  const figures = [terms.amountAtto, terms.timesMaximum].filter((figure) => figure !== null).length;
  if (terms.kind === "wallet") must(terms.amountAtto !== null && figures === 1, "amount", "A wallet limit needs an amount.");
  else if (counts) must(figures === 1, "amount", "Give either an amount or a multiple of the pair's maximum.");
  else if (terms.kind === "credit_line") {
    must(terms.amountAtto !== null && terms.timesMaximum === null, "amount", "Give an amount in the source currency.");
    must(terms.sourceCurrency !== null, "source_currency", "A credit line needs a source currency.");
  } else if (terms.kind === "open_quotes" || terms.kind === "open_loss") {
    must(terms.amountAtto !== null && terms.timesMaximum === null, "amount", "Give an amount in the source currency.");
    must(terms.sourceCurrency !== null, "source_currency", "A limit on open quotes needs a source currency.");
    must(terms.mode !== "dry_run", "mode", "A limit on open quotes refuses, or is off.");
    must(terms.purpose === null, "purpose", "Quotes have no purpose yet: leave it empty.");
  } else must(figures === 0, "amount", "This kind of limit has no amount.");
  must(terms.amountAtto === null || terms.amountAtto >= 0n, "amount", "The amount must not be negative.");
  must(
    terms.timesMaximum === null || (Number.isInteger(terms.timesMaximum) && terms.timesMaximum > 0),
    "times_maximum",
    "Enter a whole number.",
  );
  must((terms.waitSeconds !== null) === waits, "wait_hours", waits ? "Enter a number of hours." : "This kind of limit has no wait.");
  must(terms.waitSeconds === null || terms.waitSeconds > 0, "wait_hours", "It must be more than zero.");
  must(
    (terms.addresses !== null) === (terms.kind === "allow_list"),
    "addresses",
    "Only an allow-list has destinations, and it needs them.",
  );
  return [...faults, ...faultsOfPurpose(terms)];
}

/**
 * Scopes that a purpose does not have: a withdrawal leaves a Safe and no treasury wallet, a return goes back to its origin, a settlement
 * has no member.
 */
function faultsOfPurpose({ kind, purpose, countedBy }: LimitTerms): LimitFault[] {
  const fault = (message: string) => [{ field: "purpose", message }];
  if (kind === "wallet" && purpose === "withdrawal") return fault("A withdrawal's crypto leaves a Safe, not a treasury wallet.");
  if (kind === "credit_line" && purpose !== null && purpose !== "settlement") return fault("A credit line applies only to settlements.");
  const asksWho = kind === "new_key" || kind === "new_destination" || kind === "allow_list";
  if (asksWho && purpose === "return") return fault("A return goes back to the Safe that it came from.");
  if (countedBy === "member" && purpose === "settlement") return fault("A settlement belongs to no member.");
  return [];
}
