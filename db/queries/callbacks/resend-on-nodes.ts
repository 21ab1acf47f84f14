import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { leaseIsFree } from "#db/lease.ts";
import { MAX_ATTEMPTS } from "#domain/callback.ts";

/**
 * A job's resends on Citus, which locks and writes rows of one partner in a statement: partner by partner, in the job's transaction. The
 * job's items are the coordinator's.
 */

type Chosen = { id: string; partnerId: string };
type Untried = { id: string; undeliveredAt: string };

/** As `restartCallbacks`, of callbacks that were read before. */
export async function restartOnNodes(
  tx: Database,
  chosen: readonly Chosen[],
  { jobId, now }: { jobId: string; now: Date },
): Promise<number> {
  let count = 0;
  for (const [partnerId, theirs] of byPartner(chosen)) {
    const free = await tx.execute<Untried>(sql`
      select id, undelivered_at as "undeliveredAt" from callbacks
      where partner_id = ${partnerId}::uuid and id = ${anyOf(theirs)} and state = 'undelivered' for update skip locked`);
    const restarted = await tx.execute<{ id: string; series: number }>(sql`
      update callbacks set state = 'pending', series = series + 1, next_number = 1, due_at = ${now.toISOString()}::timestamptz,
        delivered_at = null, undelivered_at = null
      where partner_id = ${partnerId}::uuid and id = ${anyOf(free)} returning id, series`);
    const since = new Map(free.map(({ id, undeliveredAt }) => [id, undeliveredAt]));
    const items = restarted.map(({ id, series }) => ({ id, series, undelivered_at: since.get(id) }));
    await tx.execute(sql`
      insert into resend_job_items (job_id, callback_id, series, undelivered_at)
      select ${jobId}, id, series, undelivered_at
      from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i(id text, series int, undelivered_at timestamptz)`);
    count += restarted.length;
  }
  if (count > 0) await tx.execute(sql`select pg_notify('due_work', 'callbacks')`);
  return count;
}

/** As `skipUntried`. */
export async function skipOnNodes(tx: Database, jobId: string, now: Date): Promise<number> {
  const items = await tx.execute<Untried & { series: number }>(sql`
    select callback_id as id, series, undelivered_at as "undeliveredAt" from resend_job_items where job_id = ${jobId} and skipped_at is null`);
  const known = new Map(items.map((item) => [item.id, item]));
  const owners = await tx.execute<Chosen>(sql`select id, partner_id as "partnerId" from callbacks where id = ${anyOf(items)}`);
  let count = 0;
  for (const [partnerId, theirs] of byPartner(owners)) {
    const asked = theirs.flatMap(({ id }) => known.get(id) ?? []);
    const free = await tx.execute<{ id: string }>(sql`
      select c.id from callbacks c
      where c.partner_id = ${partnerId}::uuid and c.id = ${anyOf(asked)} and c.state = 'pending' and c.next_number = 1 and ${leaseIsFree("c.")}
        and not exists (select 1 from callback_attempts a
          where a.partner_id = ${partnerId}::uuid and a.partner_id = c.partner_id and a.callback_id = c.id and a.series = c.series)
      for update of c skip locked`);
    const untried = free.flatMap(({ id }) => known.get(id) ?? []);
    const restored = await tx.execute<{ id: string }>(sql`
      update callbacks c set state = 'undelivered', series = c.series - 1, next_number = ${MAX_ATTEMPTS}, due_at = null,
        lease_until = null, lease_token = null, undelivered_at = i."undeliveredAt"
      from jsonb_to_recordset(${JSON.stringify(untried)}::jsonb) as i(id text, series int, "undeliveredAt" timestamptz)
      where c.partner_id = ${partnerId}::uuid and c.id = i.id and c.series = i.series returning c.id`);
    await tx.execute(sql`
      update resend_job_items set skipped_at = ${now.toISOString()}::timestamptz where job_id = ${jobId} and callback_id = ${anyOf(restored)}`);
    count += restored.length;
  }
  return count;
}

/**
 * A job's items behind one, for a statement on the nodes that calls them `i`, and its join of the last attempt of the series that the job
 * began, as `last`: Citus has no limit in such a join.
 */
export async function readItemsOnNodes(db: Database, jobId: string, { after, limit }: { after: string | null; limit: number }) {
  const rows = await db.execute<{ callback_id: string }>(sql`
    select job_id, callback_id, series, skipped_at from resend_job_items
    where job_id = ${jobId} and callback_id > ${after ?? ""} order by callback_id limit ${limit}`);
  const ids = rows.map(({ callback_id: id }) => ({ id }));
  return {
    items: sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i(job_id text, callback_id text, series int, skipped_at timestamptz)`,
    last: (columns: readonly string[], { only, newest }: { only: SQL; newest: SQL }) => sql`(
      select a.partner_id, a.callback_id, a.series, ${sql.join(
        columns.map((name) => sql`(array_agg(a.${sql.identifier(name)} order by ${newest} desc))[1] as ${sql.identifier(name)}`),
        sql`, `,
      )} from callback_attempts a where ${only} and a.callback_id = ${anyOf(ids)} group by a.partner_id, a.callback_id, a.series) last
      on last.partner_id = c.partner_id and last.callback_id = c.id and last.series = i.series and i.skipped_at is null`,
  };
}

const byPartner = <Row extends { partnerId: string }>(rows: readonly Row[]) => Map.groupBy(rows, ({ partnerId }) => partnerId);
const anyOf = (rows: readonly { id: string }[]) =>
  sql`any(array(select jsonb_array_elements_text(${JSON.stringify(rows.map(({ id }) => id))}::jsonb)))`;
