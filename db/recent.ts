import { type SQL, sql } from "drizzle-orm";

/**
 * Whether an instant lies within `interval` before now, in business time. It names an end as well as a beginning: of a beginning alone, whose
 * value it does not know, PostgreSQL expects a third of the table and reads all of it.
 */
export function isRecent(instant: SQL, interval: SQL): SQL {
  return sql`(${instant} > (select business_now()) - ${interval} and ${instant} <= (select business_now()))`;
}
