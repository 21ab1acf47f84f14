import type { TransferPurpose } from "./transfer.ts";

/**
 * Checks of a payment before money moves, and their verdicts. A check that says `hold` fails nothing: the payment waits (`hold`) until an
 * administrator releases or refuses it. A check also decides what its own missing answers mean: a hold.
 */
export const CHECKS = ["limit", "screening", "unexplained_payment"] as const;
export type Check = (typeof CHECKS)[number];

/**
 * When it was checked: at the quote (which then waits for an admin), at the confirmation, and again before signing. `release`: what people
 * have released.
 */
export const CHECK_STAGES = ["quote", "confirm", "sign", "release"] as const;
export type CheckStage = (typeof CHECK_STAGES)[number];

/** What limits judge: payments that partners cause, and the sweep before a withdrawal's payout. */
export const LIMITED_PURPOSES = ["settlement", "topup", "sweep", "return"] as const satisfies readonly TransferPurpose[];
/** What can be held: the same, and what the operator takes out. */
export const HELD_PURPOSES = [...LIMITED_PURPOSES, "treasury_withdrawal"] as const satisfies readonly TransferPurpose[];

/** What one rule of a check said of one payment. */
export type Finding = {
  /** Identifies the finding, the same each time: a rule's id, a list and an address. A key that was released does not hold again. */
  key: string;
  /** The version of the rule or list that it was judged by. */
  version: string;
  outcome: "pass" | "hold";
  /** It only records: a `hold` of it holds nothing. */
  dryRun: boolean;
  /** For operators; a partner never reads it. */
  words: string;
  /** The values that it was judged by, in wire names; amounts as texts. */
  facts: Record<string, unknown>;
  /** What the payment counts for from now on, by a limit that counts: where, in which stretch of time, and how much. */
  charge?: { counter: string; begins: string; amount: string };
};

/** What a check said of a payment at one moment. */
export type Verdict = { check: Check; stage: CheckStage; findings: readonly Finding[] };

/** The findings that hold the payment, without record-only ones and released ones. `released`: the released keys of this check. */
export function holdingFindings({ findings }: Pick<Verdict, "findings">, released: readonly string[] = []): Finding[] {
  return findings.filter(({ outcome, dryRun, key }) => outcome === "hold" && !dryRun && !released.includes(key));
}

/**
 * `ended`: without a decision. The payment ended (an operator cancelled it, or the chain had it already), or the check got the answer that
 * it waited for.
 */
export const HOLD_OUTCOMES = ["open", "released", "refused", "ended"] as const;
export type HoldOutcome = (typeof HOLD_OUTCOMES)[number];

/** The reason of a hold, in words for operators. */
export function holdReason(findings: readonly Finding[]): string {
  return findings.map(({ words }) => words).join(" ");
}
