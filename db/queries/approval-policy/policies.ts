import { desc, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { approvalPolicies } from "#db/schema/approval-policies.ts";
import { users } from "#db/schema/people.ts";
import type { OperatorRole } from "#domain/access.ts";
import { type ApprovalPolicy, hintsAsked, readRule, writeRule } from "#domain/approval-policy.ts";

/** The version in force; null: there never was one. */
export async function findPolicyInForce(db: Database): Promise<ApprovalPolicy | null> {
  return (await listPolicies(db, 1))[0] ?? null;
}

/** The newest versions, the newest first. */
export async function listPolicies(db: Database, limit: number): Promise<ApprovalPolicy[]> {
  const rows = await db.select().from(approvalPolicies).orderBy(desc(approvalPolicies.version)).limit(limit);
  return rows.map(({ hints: _, rules, ...policy }) => ({ ...policy, rules: rules.map(readRule) }));
}

/** Activates a version. False, and nothing changes, when somebody else was faster. */
export async function insertPolicy(tx: Database, policy: ApprovalPolicy): Promise<boolean> {
  const values = { ...policy, rules: policy.rules.map(writeRule), hints: hintsAsked(policy.rules) };
  const added = await tx.insert(approvalPolicies).values(values).onConflictDoNothing().returning({ id: approvalPolicies.id });
  return added.length > 0;
}

/** An operator's user, as rules name it. */
export type NamedPerson = { id: string; name: string; role: OperatorRole; isIn: boolean };

/** All of the operator's people, those who were shut out too: older versions may name them. */
export async function listOperatorPeople(db: Database): Promise<NamedPerson[]> {
  const rows = await db
    .select({ id: users.id, name: users.name, role: users.role, disabledAt: users.disabledAt })
    .from(users)
    .where(sql`${users.partnerId} is null`)
    .orderBy(users.name, users.id);
  return rows.map(({ disabledAt, role, ...person }) => ({ ...person, role: role as OperatorRole, isIn: disabledAt === null }));
}
