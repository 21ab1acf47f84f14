import type { LimitTerms } from "./exposure-limit.ts";
import type { HaltScope } from "./halt-scope.ts";

/** A change that stops payments from now on. */
export type StoppingChange = { halt: HaltScope } | { limit: LimitTerms };

/** The time that a dry run looks back. */
export const LOOKED_BACK_DAYS = 30;

/**
 * What a change would have stopped: `payments` of the `examined` ones, of `partners` partners, with the sum in each token. `isSample`: the
 * period has more payments, and the newest were examined.
 */
export type PastEffect = {
  payments: number;
  partners: number;
  sums: { currency: string; base: bigint; tokenDecimals: number }[];
  examined: number;
  isSample: boolean;
};

/**
 * Whether past payments of settlements show what the change does. A limit on quotes, on debts or on keys depends on what was known at that
 * time, and one that counts multiples of a pair's maximum on the terms of that time.
 */
export function isTriable(change: StoppingChange): boolean {
  if ("halt" in change) return change.halt.kind !== "provider" && change.halt.kind !== "wallet";
  const { kind, mode, purpose, countedBy, amountAtto } = change.limit;
  if (mode === "off" || (purpose !== null && purpose !== "settlement")) return false;
  if (kind === "velocity") return amountAtto !== null && countedBy !== "member";
  return kind === "new_destination" || kind === "allow_list";
}
