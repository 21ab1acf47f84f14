import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";

export type Charge = { limitId: string; counter: string; begins: string; amountAtto: bigint };

/** Counts these from now on, in the order of their keys, so that two who count several do not wait for one another. */
export async function addCharges(tx: Database, charges: readonly Charge[]): Promise<void> {
  if (charges.length === 0) return;
  const param = charges.map(({ limitId, amountAtto, ...rest }) => ({ limit_id: limitId, ...rest, amount: amountAtto.toString() }));
  await tx.execute(sql`
    insert into exposure_counters as c (limit_id, counter, begins, amount_atto)
    select limit_id, counter, begins, sum(amount) from jsonb_to_recordset(${JSON.stringify(param)}::jsonb)
      as n(limit_id text, counter text, begins timestamptz, amount numeric)
    group by limit_id, counter, begins order by limit_id, counter, begins
    on conflict (limit_id, counter, begins) do update set amount_atto = c.amount_atto + excluded.amount_atto`);
}

/** Deletes window buckets that no window needs any more, at most `limit` per statement. Returns how many. */
export async function deleteOldCounters(db: Database, limit: number): Promise<number> {
  const { count } = await db.execute(sql`
    delete from exposure_counters where ctid = any(array(
      select ctid from exposure_counters where begins < (select business_now()) - interval '3 days' limit ${limit}))`);
  return count;
}
