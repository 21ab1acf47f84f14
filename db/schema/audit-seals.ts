import { bigint, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { auditEntries } from "./audit-entries.ts";

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
});
