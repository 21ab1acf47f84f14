import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { statement } from "#db/statement.ts";

/**
 * Whether any limit may apply to a partner's work, as a column of a statement that runs anyway. Querying limits costs the database time
 * even if there are none.
 */
export const limitsInForce = (): SQL =>
  sql`(select true from exposure_limits where replaced_at is null and mode <> 'off' limit 1) is not null`;

const inForce = statement<Record<string, never>, { areInForce: boolean }>(() => sql`select ${limitsInForce()} as "areInForce"`);

/** The same as a separate statement, sent after one that may wait for a lock: a statement sees only what was committed before it began. */
export async function areLimitsInForce(db: Database): Promise<boolean> {
  return (await inForce(db, {}))[0]?.areInForce ?? true;
}

/**
 * Partners without any active limit when this process last read them: each quote reads that, and each confirmation that expects none. It
 * only decides whether limits are queried together with the statement that says if there are any, or after it. That statement always says
 * so.
 */
const unlimited = new Set<string>();
const MOST = 10_000;

export function rememberLimits(partnerId: string, areInForce: boolean): void {
  if (unlimited.size >= MOST) unlimited.clear();
  if (areInForce) unlimited.delete(partnerId);
  else unlimited.add(partnerId);
}

/** Whether to query limits at once, without waiting to learn that there are any. */
export function expectsLimits(partnerId: string): boolean {
  return !unlimited.has(partnerId);
}
