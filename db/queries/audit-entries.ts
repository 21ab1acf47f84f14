import { asc, gt } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { auditEntries } from "#db/schema/audit-entries.ts";
import { actorId, type By } from "#server/domain/access.ts";
import { newId } from "#server/domain/ids.ts";

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

/** Records who did what, in the transaction of the deed itself. */
export async function insertAuditEntry(db: Database, entry: AuditEntry): Promise<void> {
  await db.insert(auditEntries).values({
    id: newId("audit", entry.now),
    at: entry.now,
    partnerId: entry.partnerId,
    actorType: entry.by.actor.type,
    actorId: actorId(entry.by.actor),
    action: entry.action,
    objectId: entry.objectId,
    reason: entry.reason ?? null,
    change: entry.change,
    requestId: entry.by.requestId,
  });
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
