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
  /** Of the last seal of a batch: the worker's signature over where the chain then ended. Null: not the last, or of before there was a key. */
  signature: text(),
});

/** Entries of the audit log that wait for their seal, written with them. An entry that is in neither table was put there by somebody else. */
export const auditUnsealed = pgTable("audit_unsealed", { entryId: text().primaryKey() });

/** Something about the audit log that is not as it was written. `seq` null: it never had a seal. */
export type AuditFlaw = { seq: number | null; entryId: string | null; flaw: string };

/** Each time the whole chain was computed again, and where it then ended: a later, shorter chain contradicts it. Append only. */
export const auditVerifications = pgTable("audit_verifications", {
  id: text().primaryKey(),
  at: instant().notNull(),
  /** Who asked for it; null: the worker's hourly one. */
  userId: uuid(),
  /** The last seal that was looked at, and its hash; 0 and empty where there was none. */
  seq: bigint({ mode: "number" }).notNull(),
  hash: text().notNull(),
  durationMs: integer().notNull(),
  flaws: integer().notNull(),
  /** The first ones. */
  named: jsonb().$type<AuditFlaw[]>().notNull(),
});
