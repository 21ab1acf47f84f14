import { sql } from "drizzle-orm";
import { bigint, boolean, check, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/** Which signing journal belongs to this database: one row. The journal itself is a file on the worker's machine. */
export const signingJournal = pgTable(
  "signing_journal",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    /** The installation's id, which is in the journal, too. Another journal has another id. */
    installation: text().notNull(),
    /** When the journal was there; null before the first worker has created it. Real time. */
    begunAt: instant(),
    /** So many records it had when a worker last looked: with fewer, it was cut off. */
    records: bigint({ mode: "number" }).notNull().default(0),
  },
  (table) => [check("signing_journal_only", sql`${table.isOnly}`)],
);
