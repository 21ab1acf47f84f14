import { and, asc, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { among, insertion, insertRows } from "#db/rows.ts";
import { approvalDemands, approvalPolicies } from "#db/schema/approval-policies.ts";
import { pairTerms } from "#db/schema/rates.ts";
import { settlementApprovals } from "#db/schema/settlement-approvals.ts";
import type { ApprovalRule, Decider } from "#domain/approval.ts";
import { type Demand, type Elector, readRule } from "#domain/approval-policy.ts";
import type { WrittenRule } from "#domain/policy-rule.ts";
import { MACHINE } from "#domain/two-people.ts";

/** An approval, with its author's name (null: deleted) and present role. */
export type GivenApproval = {
  settlementId: string;
  decider: Decider;
  name: string | null;
  elector: Elector;
  approvedAt: Date;
  note: string | null;
};

/** Adds a yes to each of these settlements. Answers how many: the decider may have given one before. */
export async function insertApprovals(
  db: Database,
  settlements: readonly { id: string; partnerId: string }[],
  { decider, ...given }: { decider: Decider; approvedAt: Date; note: string | null },
): Promise<number> {
  const rows = settlements.map(({ id: settlementId, partnerId }) => {
    return { settlementId, partnerId, ...given, deciderType: decider.type, deciderId: decider.id };
  });
  const added = await db.execute(sql`${insertion(settlementApprovals, rows)} on conflict do nothing returning settlement_id`);
  return added.length;
}

/** Every yes to these settlements, the first one first. */
export async function listApprovalsOf(db: Database, settlementIds: readonly string[]): Promise<GivenApproval[]> {
  if (settlementIds.length === 0) return [];
  const { settlementId, deciderType, deciderId, approvedAt, note } = settlementApprovals;
  const rows = await db
    .select({
      settlementId,
      type: deciderType,
      id: deciderId,
      approvedAt,
      note,
      name: sql<string | null>`case ${deciderType} when 'user' then (select name from users where id = ${deciderId})
        else (select name from api_keys where id = ${deciderId}) end`,
      elector: sql<Elector>`case ${deciderType} when 'user' then (select jsonb_build_object('principal', id, 'role', role) from users
          where id = ${deciderId} and partner_id is null and disabled_at is null)
        else (select jsonb_build_object('principal', coalesce(u.id::text, ${MACHINE}::text), 'role', coalesce(u.role, 'machine'))
          from api_keys k left join users u on u.id = k.made_by where k.id = ${deciderId} and k.partner_id is null
            and coalesce(least(k.revoked_at, k.expires_at, u.disabled_at) > now(), true)) end`,
    })
    .from(settlementApprovals)
    .where(sql`${settlementId} in (select jsonb_array_elements_text(${JSON.stringify(settlementIds)}::jsonb))`)
    .orderBy(asc(approvedAt));
  return rows.map(({ type, id, ...rest }) => ({ ...rest, decider: { type, id } }));
}

/** Which people have approved these settlements. Nothing else is read of them. */
export async function listUserDeciders(
  db: Database,
  settlementIds: readonly string[],
): Promise<{ settlementId: string; deciderId: string }[]> {
  return await db
    .select({ settlementId: settlementApprovals.settlementId, deciderId: settlementApprovals.deciderId })
    .from(settlementApprovals)
    .where(and(among(settlementApprovals.settlementId, settlementIds), eq(settlementApprovals.deciderType, "user")));
}

/** The rules of these versions of terms, by the version's id. */
export async function listApprovalRules(db: Database, pairTermsIds: readonly string[]): Promise<Map<string, ApprovalRule>> {
  const { id, maximumSourceMinor, twoApprovalsAboveMinor, batchMaximumSourceMinor } = pairTerms;
  const rows = await db
    .select({ id, maximumSourceMinor, twoApprovalsAboveMinor, batchMaximumSourceMinor })
    .from(pairTerms)
    .where(sql`${id} in (select jsonb_array_elements_text(${JSON.stringify(pairTermsIds)}::jsonb))`);
  return new Map(rows.map(({ id: key, ...rule }) => [key, rule]));
}

/** Stores what the approval policy requires for quotes. */
export async function insertDemands(
  tx: Database,
  kept: readonly { settlementId: string; partnerId: string; demand: Demand; at: Date }[],
): Promise<void> {
  const rows = kept.map(({ demand: { policyId, rule, hints }, ...rest }) => {
    return { ...rest, policyId, ruleId: rule.id, approvals: rule.approvals, hints: [...hints] };
  });
  await insertRows(tx, approvalDemands, rows);
}

/** What the approval policy at the time required for these settlements; others are omitted. */
export async function listDemands(db: Database, settlementIds: readonly string[]): Promise<Map<string, Demand>> {
  if (settlementIds.length === 0) return new Map();
  const rows = await db
    .select({
      id: approvalDemands.settlementId,
      policyId: approvalDemands.policyId,
      hints: approvalDemands.hints,
      version: approvalPolicies.version,
      rule: sql<WrittenRule>`(select r from jsonb_array_elements(${approvalPolicies.rules}) as r where r ->> 'id' = ${approvalDemands.ruleId})`,
    })
    .from(approvalDemands)
    .innerJoin(approvalPolicies, eq(approvalPolicies.id, approvalDemands.policyId))
    .where(among(approvalDemands.settlementId, settlementIds));
  return new Map(rows.map(({ id, rule, ...demand }) => [id, { ...demand, rule: readRule(rule) }]));
}
