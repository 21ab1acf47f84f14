import { asc, gt, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { auditEntries } from "#db/schema/audit-entries.ts";
import { actorId, type By } from "#domain/access.ts";
import { newId } from "#domain/ids.ts";

export type AuditEntry = {
  by: By;
  /** Whose data it concerns; null: the operator's own. */
  partnerId: string | null;
  /** Noun and verb, for example `settlement.approved`. */
  action: string;
  objectId: string;
  reason?: string | null;
  /** What changed, in wire names. Never a secret. */
  change: Record<string, unknown>;
  now: Date;
};

/** Records who did what, in the transaction of the deed itself, and owes the entry its seal: one statement, and no lock on anything. */
export async function insertAuditEntry(db: Database, entry: AuditEntry): Promise<void> {
  const { actor, requestId } = entry.by;
  await db.execute(sql`
    with entry as (
      insert into audit_entries (id, at, partner_id, actor_type, actor_id, action, object_id, reason, change, request_id)
      values (${newId("audit", entry.now)}, ${entry.now.toISOString()}::timestamptz, ${entry.partnerId}::uuid, ${actor.type}, ${actorId(actor)},
        ${entry.action}, ${entry.objectId}, ${entry.reason ?? null}, ${JSON.stringify(entry.change)}::text::jsonb, ${requestId})
      returning id)
    insert into audit_unsealed (entry_id) select id from entry`);
}

export type Change = { id: string; at: Date; partnerId: string | null; action: string; objectId: string };

/** What was recorded after that id, in order. Ids sort by business time, so one written later may still come before it. */
export async function listAuditEntriesAfter(db: Database, id: string, limit: number): Promise<Change[]> {
  const { at, partnerId, action, objectId } = auditEntries;
  return await db
    .select({ id: auditEntries.id, at, partnerId, action, objectId })
    .from(auditEntries)
    .where(gt(auditEntries.id, id))
    .orderBy(asc(auditEntries.id))
    .limit(limit);
}
