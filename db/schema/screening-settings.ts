import { boolean, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/** Since when workers screen recipients, and by whom; or that they do not. Append only: what was signed is judged by what was in force. */
export const screeningSettings = pgTable("screening_settings", {
  /** Business time. */
  since: instant().primaryKey(),
  isOn: boolean().notNull(),
  /** In words: the sources, by chain. */
  sources: text().array().notNull(),
});
