import { pgTable, text } from "drizzle-orm/pg-core";

/** Entries of the audit log that wait for their seal, written with them. An entry that is in neither table was put there by somebody else. */
export const auditUnsealed = pgTable("audit_unsealed", { entryId: text().primaryKey() });
