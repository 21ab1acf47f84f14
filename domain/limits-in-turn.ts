import { creditAtto, judgeLimit, type LimitAsked, type LimitedPayment, toAtto } from "./exposure-limit.ts";
import type { Finding } from "./payment-check.ts";

/** What payments that are judged together add to what a limit counts, by the limit and its counter. */
export type Counted = Map<string, bigint>;

const placeOf = ({ id, counter }: Pick<LimitAsked, "id" | "counter">) => `${id} ${counter}`;

/** The verdicts on a payment, as if those counted were paid already. */
export function judgeInTurn(
  limits: readonly LimitAsked[],
  payment: LimitedPayment,
  now: Date,
  counted: ReadonlyMap<string, bigint>,
): Finding[] {
  return limits.map((limit) => judgeLimit({ ...limit, usedAtto: limit.usedAtto + (counted.get(placeOf(limit)) ?? 0n) }, payment, now));
}

/** Counts a payment for those that are judged after it. One that a limit has counted already is not counted twice. */
export function countIn(counted: Counted, limits: readonly LimitAsked[], payment: LimitedPayment): void {
  for (const limit of limits) {
    const added = limit.isCharged ? 0n : amountFor(limit, payment);
    if (added > 0n) counted.set(placeOf(limit), (counted.get(placeOf(limit)) ?? 0n) + added);
  }
}

function amountFor({ kind }: LimitAsked, { amountBase, tokenDecimals, source }: LimitedPayment): bigint {
  if (kind === "velocity" || kind === "wallet") return toAtto(amountBase, tokenDecimals);
  return kind === "credit_line" && source !== null ? creditAtto(source) : 0n;
}
