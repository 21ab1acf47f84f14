import { ilike, or, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** A page by position, and what it must contain. */
export type PageRequest = { skip: number; limit: number; search?: string };
export type Page<Item> = { items: Item[] /** How many there are in all. */; total: number };

/** Whether one of the columns contains the text, case-insensitively. The text has no wildcards. */
export function contains(text: string | undefined, columns: readonly PgColumn[]): SQL | undefined {
  if (text === undefined) return undefined;
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return or(...columns.map((column) => ilike(column, pattern)));
}
