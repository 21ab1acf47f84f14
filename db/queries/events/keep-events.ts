import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";

/** The present line of the database's history: another one after a restore, a failover, or a copy to another server. */
const LINE = sql`(select system_identifier::text from pg_control_system()) || ' ' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`;

/** Deletes events whose ids are before that one, `limit` at most, and keeps the last of each partner's as its floor. Returns how many. */
export async function deleteEventsBefore(db: Database, id: string, limit: number): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`
    with gone as (delete from events e using (select id, partner_id from events where id < ${id} order by id limit ${limit}) old
      where e.id = old.id and of_partner(e.partner_id, old.partner_id) returning e.partner_id, e.position, e.version, e.id),
    kept as (insert into event_floors (partner_id, position, version, event_id)
      select distinct on (partner_id) partner_id, position, version, id from gone order by partner_id, position desc, version desc, id desc
      on conflict on constraint event_floors_pkey do update set position = excluded.position, version = excluded.version, event_id = excluded.event_id
      where (event_floors.position, event_floors.version, event_floors.event_id) < (excluded.position, excluded.version, excluded.event_id))
    select count(*)::int as count from gone`);
  return row?.count ?? 0;
}

/**
 * Marks how far the present line of the database's history has come, or begins a new one after a restore or a failover: its begin is what
 * was marked before, which every event of the new line comes after.
 */
export async function markEventLine(db: Database): Promise<void> {
  await db.execute(sql`
    with here as (select ${LINE} as line,
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon),
    newest as (select * from event_epochs order by epoch desc limit 1),
    same as (update event_epochs e set marked = here.horizon from here, newest where e.epoch = newest.epoch and e.line = here.line returning 1)
    insert into event_epochs (epoch, line, began, marked)
    select coalesce(newest.epoch, 0) + 1, here.line, coalesce(newest.marked, 0), here.horizon from here left join newest on true
    where newest.epoch is null or newest.line <> here.line on conflict do nothing`);
}

/** Whether something that was written at that time was written on an earlier line: the database was restored since, or another one leads. */
export async function isOfEarlierLine(db: Database, writtenAt: Date): Promise<boolean> {
  const [row] = await db.execute<{ earlier: boolean }>(sql`
    select line <> ${LINE} or (epoch > 1 and ${writtenAt.toISOString()}::timestamptz < seen_at) as earlier
    from event_epochs order by epoch desc limit 1`);
  return row?.earlier === true;
}
