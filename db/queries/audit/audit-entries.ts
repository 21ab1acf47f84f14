import { asc, gt, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { enterSecurityNotice } from "#db/queries/notifications/security-notices.ts";
import { recordsOf } from "#db/rows.ts";
import { auditEntries } from "#db/schema/audit-log.ts";
import { namesOf, type Params, rowOfParams, statement } from "#db/statement.ts";
import { actorId, type By } from "#domain/access.ts";
import { newId } from "#domain/ids.ts";
import { securityNoticeOf } from "#domain/security-notice.ts";

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
  /** Business time; left out: this moment. */
  now?: Date;
};

export type DatedEntry = AuditEntry & { now: Date };

/**
 * Records who did what, in the action's own transaction, and queues the entry for sealing: one statement that locks nothing. The
 * people whom an action on an account or a key concerns get a notice.
 */
export async function insertAuditEntry(db: Database, entry: AuditEntry): Promise<void> {
  await insertAuditEntries(db, [{ ...entry, now: entry.now ?? (await readBusinessNow(db)) }]);
}

/** As {@link insertAuditEntry}, for many actions of one transaction. */
export async function insertAuditEntries(db: Database, entries: readonly DatedEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const [one, ...others] = entries;
  await (one !== undefined && others.length === 0 ? writtenOne(db, { entry: auditRow(one) }) : written(db, auditRecords(entries)));
  for (const { by, action, objectId, partnerId, change, now } of entries) {
    const notice = by.actor.type === "system" ? null : securityNoticeOf(action, change);
    if (notice !== null) await enterSecurityNotice(db, notice, { action, objectId, partnerId, at: now });
  }
}

/** An entry as the row `entry` of a larger statement. */
export function auditRow({ by: { actor, requestId }, partnerId, action, objectId, reason, change, now }: DatedEntry) {
  const what = { action, objectId, reason: reason ?? null, change };
  return { id: newId("audit", now), at: now, partnerId, actorType: actor.type, actorId: actorId(actor), ...what, requestId };
}

/** As {@link auditRow}, of several: one parameter. */
export function auditRecords(entries: readonly DatedEntry[]): { entries: string } {
  return { entries: recordsOf(auditEntries, entries.map(auditRow)) };
}

const COLUMNS = ["id", "at", "partnerId", "actorType", "actorId", "action", "objectId", "reason", "change", "requestId"];

/** Where {@link auditParts} finds its entries: in `entries`, or in the one row `entry`. */
export const entriesIn = (param: Params<{ entries: string }>): SQL =>
  sql`json_populate_recordset(null::audit_entries, ${param("entries")}::text::json)`;
export const entryIn = (param: Params<{ entry: object }>): SQL => rowOfParams(param, "entry", auditEntries, COLUMNS);

/** The parts of a `with` that write entries, in the statement of the actions themselves. */
export function auditParts(found: SQL): SQL {
  const names = namesOf(auditEntries, COLUMNS);
  return sql`audit_entry as (insert into audit_entries (${names}) select ${names} from ${found} returning id),
    audit_owed as (insert into audit_unsealed (entry_id) select id from audit_entry)`;
}

type Nothing = Record<string, never>;
const written = statement<{ entries: string }, Nothing>((param) => sql`with ${auditParts(entriesIn(param))} select`);
const writtenOne = statement<{ entry: object }, Nothing>((param) => sql`with ${auditParts(entryIn(param))} select`);

export type Change = { id: string; at: Date; partnerId: string | null; action: string; objectId: string };

/** The entries after that id, in order. Ids sort by business time, so one written later may still precede it. */
export async function listAuditEntriesAfter(db: Database, id: string, limit: number): Promise<Change[]> {
  const { at, partnerId, action, objectId } = auditEntries;
  return await db
    .select({ id: auditEntries.id, at, partnerId, action, objectId })
    .from(auditEntries)
    .where(gt(auditEntries.id, id))
    .orderBy(asc(auditEntries.id))
    .limit(limit);
}
