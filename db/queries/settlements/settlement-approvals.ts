import { and, asc, eq, min, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { among, insertion, insertRows } from "#db/rows.ts";
import { approvalDemands, approvalPolicies } from "#db/schema/approval-policies.ts";
import { pairTerms } from "#db/schema/rates.ts";
import { settlementApprovals } from "#db/schema/settlement-approvals.ts";
import { settlementQuotes } from "#db/schema/settlement-quotes.ts";
import { layoutOf } from "#db/transaction.ts";
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
  if (layoutOf(db) === "citus") {
    const inserted = db.insert(settlementApprovals).values(rows).onConflictDoNothing();
    return (await inserted.returning({ settlementId: settlementApprovals.settlementId })).length;
  }
  const added = await db.execute(sql`${insertion(settlementApprovals, rows)} on conflict do nothing returning settlement_id`);
  return added.length;
}

/** Every yes to these settlements, the first one first. */
export async function listApprovalsOf(db: Database, settlementIds: readonly string[]): Promise<GivenApproval[]> {
  if (settlementIds.length === 0) return [];
  const { settlementId, deciderType, deciderId, approvedAt, note } = settlementApprovals;
  const given = { settlementId, type: deciderType, id: deciderId, approvedAt, note };
  const ofThese = sql`${settlementId} in (select jsonb_array_elements_text(${JSON.stringify(settlementIds)}::jsonb))`;
  if (layoutOf(db) === "citus") return await namedApprovals(db, await db.select(given).from(settlementApprovals).where(ofThese));
  const rows = await db
    .select({ ...given, name: nameOf(sql`${deciderType}`, sql`${deciderId}`), elector: electorOf(sql`${deciderType}`, sql`${deciderId}`) })
    .from(settlementApprovals)
    .where(ofThese)
    .orderBy(asc(approvedAt));
  return rows.map(({ type, id, ...rest }) => ({ ...rest, decider: { type, id } }));
}

const nameOf = (type: SQL, id: SQL) => sql<string | null>`case ${type} when 'user' then (select name from users where id = ${id})
        else (select name from api_keys where id = ${id}) end`;
const electorOf = (
  type: SQL,
  id: SQL,
) => sql<Elector>`case ${type} when 'user' then (select jsonb_build_object('principal', id, 'role', role) from users
          where id = ${id} and partner_id is null and disabled_at is null)
        else (select jsonb_build_object('principal', coalesce(u.id::text, ${MACHINE}::text), 'role', coalesce(u.role, 'machine'))
          from api_keys k left join users u on u.id = k.made_by where k.id = ${id} and k.partner_id is null
            and coalesce(least(k.revoked_at, k.expires_at, u.disabled_at) > now(), true)) end`;

type Given = { settlementId: string; type: Decider["type"]; id: string; approvedAt: Date; note: string | null };

/** On Citus: the approvals are read from their nodes, and people from the coordinator. */
async function namedApprovals(db: Database, given: readonly Given[]): Promise<GivenApproval[]> {
  const deciders = given.map(({ type, id }) => ({ type, id }));
  const people = await db.execute<{ id: string; name: string | null; elector: Elector }>(sql`
    select d.id, ${nameOf(sql`d.type`, sql`d.id`)} as name, ${electorOf(sql`d.type`, sql`d.id`)} as elector
    from jsonb_to_recordset(${JSON.stringify(deciders)}::jsonb) as d(type text, id uuid)`);
  const byId = new Map(people.map((person) => [person.id, person]));
  return given
    .toSorted((one, other) => one.approvedAt.getTime() - other.approvedAt.getTime())
    .flatMap(({ type, id, ...rest }) => {
      const person = byId.get(id);
      return person === undefined ? [] : [{ ...rest, decider: { type, id }, name: person.name, elector: person.elector }];
    });
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

/** The rules that these settlements wait under, by the settlement's id: the strictest of all quotes that each has had. */
export async function listApprovalRules(db: Database, settlementIds: readonly string[]): Promise<Map<string, ApprovalRule>> {
  const { maximumSourceMinor, twoApprovalsAboveMinor, batchMaximumSourceMinor } = pairTerms;
  const rows = await db
    .select({
      id: settlementQuotes.settlementId,
      maximumSourceMinor: sql<bigint>`min(${maximumSourceMinor})`.mapWith(maximumSourceMinor),
      twoApprovalsAboveMinor: min(twoApprovalsAboveMinor),
      batchMaximumSourceMinor: min(batchMaximumSourceMinor),
    })
    .from(settlementQuotes)
    .innerJoin(pairTerms, eq(pairTerms.id, settlementQuotes.pairTermsId))
    .where(among(settlementQuotes.settlementId, settlementIds))
    .groupBy(settlementQuotes.settlementId);
  return new Map(rows.map(({ id, ...rule }) => [id, rule]));
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
