import { bigint, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/** Something about the audit log that is not as it was written. `seq` null: it never had a seal. */
export type AuditFlaw = { seq: number | null; entryId: string | null; flaw: string };

/** Each time the whole chain was computed anew, and where it then ended: a later, shorter chain contradicts it. Append only. */
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
