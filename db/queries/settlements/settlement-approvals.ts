import { asc, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { pairTerms } from "#db/schema/rates.ts";
import { settlementApprovals } from "#db/schema/settlement-approvals.ts";
import type { ApprovalRule, Decider } from "#domain/approval.ts";

/** A yes, with the name of who gave it (null: a name that is gone). */
export type GivenApproval = { settlementId: string; decider: Decider; name: string | null; approvedAt: Date; note: string | null };

/** Adds a yes. Answers false, and adds nothing, when the decider has given one before. */
export async function insertApproval(
  db: Database,
  approval: { settlementId: string; decider: Decider; approvedAt: Date; note: string | null },
): Promise<boolean> {
  const { decider, ...rest } = approval;
  const values = { ...rest, deciderType: decider.type, deciderId: decider.id };
  const rows = await db
    .insert(settlementApprovals)
    .values(values)
    .onConflictDoNothing()
    .returning({ id: settlementApprovals.settlementId });
  return rows.length > 0;
}

/** How many different deciders have said yes. */
export async function countApprovals(db: Database, settlementId: string): Promise<number> {
  return await db.$count(settlementApprovals, eq(settlementApprovals.settlementId, settlementId));
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
    })
    .from(settlementApprovals)
    .where(sql`${settlementId} in (select jsonb_array_elements_text(${JSON.stringify(settlementIds)}::jsonb))`)
    .orderBy(asc(approvedAt));
  return rows.map(({ type, id, ...rest }) => ({ ...rest, decider: { type, id } }));
}

/** The rules of these versions of terms, by the version's id. */
export async function listApprovalRules(db: Database, pairTermsIds: readonly string[]): Promise<Map<string, ApprovalRule>> {
  const { id, maximumSourceMinor, twoApprovalsAboveMinor } = pairTerms;
  const rows = await db
    .select({ id, maximumSourceMinor, twoApprovalsAboveMinor })
    .from(pairTerms)
    .where(sql`${id} in (select jsonb_array_elements_text(${JSON.stringify(pairTermsIds)}::jsonb))`);
  return new Map(rows.map(({ id: key, ...rule }) => [key, rule]));
}
