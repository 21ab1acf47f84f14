import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { statement } from "#db/statement.ts";

/**
 * Whether any limit is in force that a partner's work could be held to, as a column of a statement that is asked anyway. To ask what limits say costs
 * the database its time whether there is one or not.
 */
export const limitsInForce = (): SQL =>
  sql`(select true from exposure_limits where replaced_at is null and mode <> 'off' limit 1) is not null`;

const inForce = statement<Record<string, never>, { areInForce: boolean }>(() => sql`select ${limitsInForce()} as "areInForce"`);

/**
 * The same in a statement of its own, to be sent behind one that may wait for a lock: a statement sees what was committed before it began, and not
 * what comes while it waits.
 */
export async function areLimitsInForce(db: Database): Promise<boolean> {
  return (await inForce(db, {}))[0]?.areInForce ?? true;
}

/**
 * Partners for whom none was in force when this process was last told: each quote is told, and each confirmation that expects none. It only
 * decides when limits are asked, with the statement that says whether any is in force or behind it: that says so each time.
 */
const unlimited = new Set<string>();
const MOST = 10_000;

export function rememberLimits(partnerId: string, areInForce: boolean): void {
  if (unlimited.size >= MOST) unlimited.clear();
  if (areInForce) unlimited.delete(partnerId);
  else unlimited.add(partnerId);
}

/** Whether limits are to be asked at once, without waiting to be told of any. */
export function expectsLimits(partnerId: string): boolean {
  return !unlimited.has(partnerId);
}
