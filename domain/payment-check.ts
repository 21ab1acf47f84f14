import type { TransferPurpose } from "./transfer.ts";

/**
 * What is asked of a payment before money moves, and what becomes of the answer. A check that says `hold` makes nothing fail: the payment
 * waits (`hold`) until an administrator releases or refuses it. Silence of a check is a hold too, and for the check itself to say.
 */
export const CHECKS = ["limit", "screening"] as const;
export type Check = (typeof CHECKS)[number];

/**
 * When it was asked: as the partner asked for a quote (which then awaits an admin), as it confirmed, and again as the payment was about to be
 * signed. `release`: what people have let pass.
 */
export const CHECK_STAGES = ["quote", "confirm", "sign", "release"] as const;
export type CheckStage = (typeof CHECK_STAGES)[number];

/** What can be held: what leaves the treasury for others, and the sweep before a withdrawal's payout. */
export const HELD_PURPOSES = ["settlement", "topup", "sweep", "return"] as const satisfies readonly TransferPurpose[];

/** What one rule of a check said of one payment. */
export type Finding = {
  /** What said so, the same each time: a rule's id, a list and an address. What was released under a key is not held under it again. */
  key: string;
  /** The version of the rule or list that it was judged by. */
  version: string;
  outcome: "pass" | "hold";
  /** It only records: a `hold` of it holds nothing. */
  dryRun: boolean;
  /** For operators; a partner never reads it. */
  words: string;
  /** What it was judged by, in wire names; amounts as texts. */
  facts: Record<string, unknown>;
  /** What the payment counts for from now on, by a limit that counts: where, in which stretch of time, and how much. */
  charge?: { counter: string; begins: string; amount: string };
};

/** What a check said of a payment at one moment. */
export type Verdict = { check: Check; stage: CheckStage; findings: readonly Finding[] };

/** What of it holds the payment: nothing that only records, and nothing that people have released it from. `released`: the keys of those, of this check. */
export function holdingFindings({ findings }: Pick<Verdict, "findings">, released: readonly string[] = []): Finding[] {
  return findings.filter(({ outcome, dryRun, key }) => outcome === "hold" && !dryRun && !released.includes(key));
}

/**
 * `ended`: without a decision. The payment came to its end (an operator cancelled it, or the chain had it already), or the check has the
 * answer that it had waited for.
 */
export const HOLD_OUTCOMES = ["open", "released", "refused", "ended"] as const;
export type HoldOutcome = (typeof HOLD_OUTCOMES)[number];

/** How held payments tell operators why. */
export function holdReason(findings: readonly Finding[]): string {
  return findings.map(({ words }) => words).join(" ");
}
