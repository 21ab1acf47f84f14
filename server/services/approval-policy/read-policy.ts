import { listOperatorPeople, listPolicies, type NamedPerson } from "#db/queries/approval-policy/policies.ts";
import { listFloors } from "#db/queries/rates/pair-terms-lists.ts";
import { listDemands } from "#db/queries/settlements/settlement-approvals.ts";
import { type ApprovalPolicy, countsFor, type Demand, type TermsFloor } from "#domain/approval-policy.ts";
import type { Uses } from "#server/context.ts";

export type { NamedPerson } from "#db/queries/approval-policy/policies.ts";

/** How many versions are shown. */
const SHOWN = 50;

type Policies = { versions: ApprovalPolicy[]; people: NamedPerson[]; terms: TermsFloor[] };

/**
 * The versions of the approval policy, the newest first, which is the one in force; the people whom rules may name; and the terms in force, which
 * may ask for more.
 */
export async function readPolicies(ctx: Uses<"db">): Promise<Policies> {
  const [versions, people, terms] = await Promise.all([listPolicies(ctx.db, SHOWN), listOperatorPeople(ctx.db), listFloors(ctx.db)]);
  return { versions, people, terms };
}

/** How many of these people could approve what a rule asks for, with their present roles. */
export function countAble(rule: ApprovalPolicy["rules"][number], people: readonly NamedPerson[]): number {
  return people.filter(({ id, role, isIn }) => isIn && countsFor(rule.who, { principal: id, role })).length;
}

/** What the policy at the time asked for a settlement; null: nothing. */
export async function readDemand(ctx: Uses<"db">, settlementId: string): Promise<Demand | null> {
  return (await listDemands(ctx.db, [settlementId])).get(settlementId) ?? null;
}
