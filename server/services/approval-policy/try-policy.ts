import { countPastSettlements, listPastSettlements, type PastSettlement } from "#db/queries/approval-policy/past-settlements.ts";
import { type By, refuseUnlessOperator } from "#domain/access.ts";
import { approvalsNeeded } from "#domain/approval.ts";
import { askedOf, describeFaults, faultsOfRules, hintsAsked, type PolicyRule, readRule, ruleFor } from "#domain/approval-policy.ts";
import type { WrittenRule } from "#domain/policy-rule.ts";
import { type Fault, Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/** The newest ones up to this number: each may need reads of others. */
export const MOST_TRIED = 1_000;
/** A trial goes in parts, so that somebody sees how far it is and can end it. */
const PART = 100;

/** How far a trial has come: the oldest settlement that it has tried, and how many so far. */
export type TrialPlace = { createdAt: Date; id: string; seen: number };

export type Tried = PastSettlement & { rule: PolicyRule | null; needed: number };

/** What a draft would have made of one part of what was. */
export type TrialPart = {
  examined: number;
  /** How many the whole trial covers, and where the next part begins; null: this was the last one. */
  of: number;
  next: TrialPlace | null;
  /** The period has more settlements than the trial covers: these are the newest. */
  isSample: boolean;
  /** The oldest covered settlement; null: there were none. */
  since: Date | null;
  /** Needed no approval, and would now. */
  wouldWait: Tried[];
  /** Waited only because of the policy at the time, and would not wait now. */
  noLonger: Tried[];
  /** Waited, and would need more people. */
  moreAsked: number;
  /** Waited, and would need the same. */
  asBefore: number;
};

/**
 * Tries rules on a part of the past settlements, the newest first, each with the facts known at its quote. Approvals that the terms of the time required stay, whatever the
 * rules say.
 *
 * @throws Refusal `forbidden` unless an administrator, `validation_failed` for inconsistent rules, or an empty period.
 */
export async function tryPolicy(
  ctx: Uses<"db">,
  { by, rules: written, from, to, after }: { by: By; rules: readonly WrittenRule[]; from: Date; to: Date; after: TrialPlace | null },
): Promise<TrialPart> {
  refuseUnlessOperator(by.actor, "administer");
  const rules = written.map(readRule);
  const errors = faultsOfRules(rules).map(({ pointer, message }): Fault => ({ pointer, code: "invalid", message }));
  if (from >= to) errors.push({ pointer: "/from", code: "invalid", message: "The end must be after the start." });
  if (errors.length > 0) throw new Refusal("validation_failed", { errors, detail: describeFaults(rules, errors) });
  const seen = after?.seen ?? 0;
  const there = await countPastSettlements(ctx.db, { from, to, limit: MOST_TRIED + 1 });
  const limit = Math.max(0, Math.min(PART, MOST_TRIED - seen));
  const examined = await listPastSettlements(ctx.db, { from, to, hints: hintsAsked(rules), after, limit });
  const last = examined.at(-1);
  const [reached, of] = [seen + examined.length, Math.min(there, MOST_TRIED)];
  const tried = examined.map((settlement): Tried & { floor: number; isHeldAnyway: boolean } => {
    const rule = ruleFor(rules, settlement);
    const floor = approvalsNeeded(settlement.sourceAmountMinor, settlement);
    const isHeldAnyway = settlement.sourceAmountMinor > settlement.maximumSourceMinor || settlement.wasBeyondLimit;
    return { ...settlement, rule, floor, isHeldAnyway, needed: askedOf(floor, rule && { rule }).needed };
  });
  const waits = ({ rule, isHeldAnyway }: (typeof tried)[number]) => rule !== null || isHeldAnyway;
  const stayed = tried.filter((each) => each.waited && waits(each));
  const moreAsked = stayed.filter(({ needed, floor, demanded }) => needed > Math.max(floor, demanded ?? 0)).length;
  return {
    examined: examined.length,
    of,
    next: last !== undefined && examined.length === PART && reached < of ? { createdAt: last.createdAt, id: last.id, seen: reached } : null,
    isSample: there > MOST_TRIED,
    since: last?.createdAt ?? null,
    wouldWait: tried.filter((each) => !each.waited && waits(each)),
    noLonger: tried.filter((each) => each.waited && !waits(each)),
    moreAsked,
    asBefore: stayed.length - moreAsked,
  };
}
