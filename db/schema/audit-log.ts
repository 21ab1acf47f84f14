import { sql } from "drizzle-orm";
import { bigint, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/** Who changed what, and why. Append only: the application's role may insert and read, nothing else. */
export const auditEntries = pgTable(
  "audit_entries",
  {
    id: text().primaryKey(),
    at: instant().notNull(),
    partnerId: uuid(),
    actorType: text().notNull(),
    actorId: text(),
    action: text().notNull(),
    objectId: text().notNull(),
    reason: text(),
    /** What changed, in wire names. */
    change: jsonb().$type<Record<string, unknown>>().notNull(),
    requestId: text(),
  },
  (table) => [
    index().on(table.objectId),
    index().on(table.partnerId, table.at),
    index("audit_entries_failures").on(table.at).where(sql`action = 'settlement.failed'`),
    // What somebody decided, newest first.
    index("audit_entries_decisions")
      .on(table.actorId, table.id)
      .where(sql`action in ('settlement.approved', 'settlement.rejected', 'settlement.approval_recorded')`),
  ],
);

/** The chain over the audit log: each seal's hash goes over the one before and over its entry as it then was. Append only. */
export const auditSeals = pgTable("audit_seals", {
  /** 1 and on, without a gap. */
  seq: bigint({ mode: "number" }).primaryKey(),
  entryId: text()
    .notNull()
    .unique()
    .references(() => auditEntries.id),
  /** Business time. */
  sealedAt: instant().notNull(),
  /** With this seal everything is sealed that had been written by then; null: more was waiting. */
  completeAt: instant(),
  hash: text().notNull(),
  /**
   * Only on the last seal of a batch: the worker's signature over the end of the chain. Null: not the last, or from before there was a key.
   */
  signature: text(),
});

/**
 * Entries of the audit log that wait for their seal, written together with them. Somebody else inserted an entry that is in neither table.
 */
export const auditUnsealed = pgTable("audit_unsealed", { entryId: text().primaryKey() });

/** A flaw of the audit log. `seq` null: the entry never had a seal. */
export type AuditFlaw = { seq: number | null; entryId: string | null; flaw: string };

/** Each verification of the whole chain, with the end of the chain at that time: a later, shorter chain contradicts it. Append only. */
export const auditVerifications = pgTable("audit_verifications", {
  id: text().primaryKey(),
  at: instant().notNull(),
  /** Who requested it; null: the worker's hourly one. */
  userId: uuid(),
  /** The last verified seal, and its hash; 0 and empty where there was none. */
  seq: bigint({ mode: "number" }).notNull(),
  hash: text().notNull(),
  durationMs: integer().notNull(),
  flaws: integer().notNull(),
  /** The first ones. */
  named: jsonb().$type<AuditFlaw[]>().notNull(),
});
