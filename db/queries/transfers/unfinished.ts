import { type SQL, sql } from "drizzle-orm";

/**
 * Has not ended: neither executed nor failed, as `transfer_is_sound` knows it. It is the condition of the index `transfers_unfinished`, which
 * names no state: an update from one open state to another is written to no index (HOT).
 */
export const unfinished = (alias = "transfers"): SQL =>
  sql`${sql.identifier(alias)}.executed_at is null and ${sql.identifier(alias)}.failure_reason is null`;
