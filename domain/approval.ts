import type { Actor } from "./access.ts";

/** What decides how many people must say yes: of the terms that the settlement was quoted under, whatever they are today. */
export type ApprovalRule = {
  maximumSourceMinor: bigint;
  /** null: one is always enough. */
  twoApprovalsAboveMinor: bigint | null;
  /** null: what the items of a batch come to is not judged. */
  batchMaximumSourceMinor: bigint | null;
};

/** A decider: a person, or an operator's API key. Each counts once per settlement. */
export type Decider = { type: "user" | "operator_key"; id: string };

/** How many different deciders must approve an amount above the pair's maximum (contract, part 7 "maker–checker"). */
export function approvalsNeeded(
  sourceAmountMinor: bigint,
  { twoApprovalsAboveMinor }: Pick<ApprovalRule, "twoApprovalsAboveMinor">,
): 1 | 2 {
  return twoApprovalsAboveMinor !== null && sourceAmountMinor > twoApprovalsAboveMinor ? 2 : 1;
}

/** From this share of the second threshold on, amounts that wait together are near it. */
const NEAR_PERCENT = 90n;

/** Requests that need one approval each, and together come near the amount that needs two. */
export function nearsTwoApprovals(sumMinor: bigint, { twoApprovalsAboveMinor }: Pick<ApprovalRule, "twoApprovalsAboveMinor">): boolean {
  return twoApprovalsAboveMinor !== null && sumMinor * 100n >= twoApprovalsAboveMinor * NEAR_PERCENT;
}

/** As whom somebody counts; null for those who approve nothing: partners, and the service itself. */
export function deciderOf(actor: Actor): Decider | null {
  if (actor.type === "operator_key") return { type: "operator_key", id: actor.apiKeyId };
  return actor.type === "user" && actor.partnerId === null ? { type: "user", id: actor.userId } : null;
}

/** The most that are approved at once. */
export const MOST_APPROVED_AT_ONCE = 50;

/** How long something may wait for a decision before it is due, and late. A promise to ourselves: not on the wire. */
const DUE_AFTER_MS = 15 * 60_000;
const LATE_AFTER_MS = 60 * 60_000;
export type Promptness = "in_time" | "due" | "late";

export function promptnessOf(waitedMs: number): Promptness {
  if (waitedMs >= LATE_AFTER_MS) return "late";
  return waitedMs >= DUE_AFTER_MS ? "due" : "in_time";
}

/** An operator's user or key, with its name at the time. */
export type NamedDecider = Decider & { name: string };

/** What one has proposed and another one has to confirm before it happens (contract, part 10 "Two people"). */
export type Proposal = {
  id: string;
  kind: string;
  subject: string;
  /** In wire names, as its kind understands it. */
  body: unknown;
  reason: string | null;
  proposer: NamedDecider;
  proposedAt: Date;
  /** Who carried it out or withdrew it. */
  decider: NamedDecider | null;
  decidedAt: Date | null;
  outcome: "open" | "carried_out" | "withdrawn";
};
