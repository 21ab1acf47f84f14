import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { DISTRIBUTED_TABLES } from "#db/distribution.ts";
import { retentionWalks } from "#db/schema/retention-walks.ts";
import { layoutOf } from "#db/transaction.ts";
import { firstId, type IdKind } from "#domain/ids.ts";
import type { Retained } from "#domain/retention.ts";

/**
 * How to walk a kind: by ids, which contain their time, so that each page uses the primary key and nothing is read twice. `unit`: what is
 * archived together. `again`: skipped rows may go later, so the walk starts again each day.
 */
type Walked = { table: string; id: IdKind; unit: SQL; due: SQL; clock: SQL; again: boolean };

const BUSINESS = sql`business_now()`;

/** The API log uses real time. `archive_rows` decides what may go; `due` avoids asking about the rest. */
const WALKED: Record<Retained, Walked> = {
  api_log: { table: "api_requests", id: "request", unit: sql`id`, due: sql`true`, clock: sql`now()`, again: false },
  callback_attempts: { table: "callback_attempts", id: "attempt", unit: sql`callback_id`, due: sql`true`, clock: BUSINESS, again: true },
  provider_events: {
    table: "provider_events",
    id: "providerEvent",
    unit: sql`id`,
    clock: BUSINESS,
    again: false,
    due: sql`effect in ('repeated', 'unknown_order')`,
  },
  lapsed_quotes: {
    table: "settlements",
    id: "settlement",
    unit: sql`id`,
    clock: BUSINESS,
    again: false,
    // A batch stays whole.
    due: sql`status = 'quoted' and approval_state is null and batch_id is null`,
  },
};

/** The position of a walk, locked by this worker until the transaction ends; null: another worker has it. */
export async function lockWalk(tx: Database, kind: Retained): Promise<{ after: string; isOld: boolean } | null> {
  const [row] = await tx.execute<{ after: string; is_old: boolean }>(sql`
    select after, begun_at < business_now() - interval '1 day' as is_old from ${retentionWalks} where kind = ${kind} for update skip locked`);
  return row ? { after: row.after, isOld: row.is_old } : null;
}

/** `after` empty: the walk begins again. */
export async function saveWalk(tx: Database, kind: Retained, after: string): Promise<void> {
  const begun = after === "" ? sql`, begun_at = business_now()` : sql``;
  await tx.execute(sql`update ${retentionWalks} set after = ${after} ${begun} where kind = ${kind}`);
}

/** Whether to read skipped rows again. */
export function isWalkedAgain(kind: Retained): boolean {
  return WALKED[kind].again;
}

/** Up to when a kind goes to the archive. */
export async function readCutoff(db: Database, kind: Retained, days: number): Promise<Date> {
  const [row] = await db.execute<{ at: string }>(sql`select ${WALKED[kind].clock} - ${days} * interval '1 day' as at`);
  return new Date(row?.at ?? 0);
}

/** The next rows of a walk that are older than the limit: those that may go, and the position after them. */
export async function listNext(
  db: Database,
  kind: Retained,
  { after, before, limit }: { after: string; before: Date; limit: number },
): Promise<{ last: string | null; count: number; units: string[] }> {
  const { table, id, unit, due } = WALKED[kind];
  const rows = await db.execute<{ id: string; unit: string; due: boolean }>(sql`
    select id, ${unit} as unit, ${due} as due from ${sql.identifier(table)}
    where id > ${after} and id < ${firstId(id, before)} order by id limit ${limit}`);
  return { last: rows.at(-1)?.id ?? null, count: rows.length, units: [...new Set(rows.flatMap((row) => (row.due ? [row.unit] : [])))] };
}

/** Brings these to the archive, as far as they may go. Answers how many rows went. `tx`: an open transaction. */
export async function archiveRows(tx: Database, kind: Retained, units: readonly string[], before: Date): Promise<number> {
  const ids = sql`array(select jsonb_array_elements_text(${JSON.stringify(units)}::jsonb))`;
  const isSpread = layoutOf(tx) === "citus" && DISTRIBUTED_TABLES.includes(WALKED[kind].table);
  const archive = sql.raw(isSpread ? "citus_archive" : "archive_rows");
  const [row] = await tx.execute<{ moved: number }>(sql`select ${archive}(${kind}, ${ids}, ${before.toISOString()}::timestamptz) as moved`);
  return row?.moved ?? 0;
}

/** How many rows of a kind are older than the limit and may go now. It reads them all, so it is only for operators' questions. */
export async function countDue(db: Database, kind: Retained, before: Date): Promise<number> {
  const { table, id, due } = WALKED[kind];
  const only =
    kind === "callback_attempts"
      ? sql`callback_id in (select c.id from callbacks c where c.state <> 'pending' and c.extra_attempt_id is null)`
      : due;
  const [row] = await db.execute<{ count: string }>(sql`
    select count(*) as count from ${sql.identifier(table)} where id < ${firstId(id, before)} and ${only}`);
  return Number(row?.count ?? 0);
}

export type ArchiveMonth = { name: string; rows: number; bytes: number; isDue: boolean };

/** The months of the archive, the oldest first. */
export async function listArchive(db: Database, days: number): Promise<ArchiveMonth[]> {
  const rows = await db.execute<{ name: string; rows: string; bytes: string; is_due: boolean }>(sql`
    select c.relname as name, greatest(c.reltuples, 0)::bigint as rows, pg_total_relation_size(c.oid) as bytes,
      to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= (now() at time zone 'UTC') - make_interval(days => greatest(${days}::int, 30)) as is_due
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'archived_rows'::regclass order by 1`);
  return rows.map(({ name, rows: count, bytes, is_due }) => ({ name, rows: Number(count), bytes: Number(bytes), isDue: is_due }));
}

/** Drops the archive's months that are older than this many days. Returns their names. */
export async function dropArchive(tx: Database, days: number): Promise<string[]> {
  const rows = await tx.execute<{ name: string }>(sql`select drop_archive(${days}::int) as name`);
  return rows.map(({ name }) => name);
}

/** Rows of a month as JSON, in the order of their places behind `after`. */
export async function listArchived(
  db: Database,
  month: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ place: string; line: string }[]> {
  // Through the whole table: nobody but the owner may read a month by its own name, whose rights nobody gives.
  const [at, kind, id] = after === null ? ["-infinity", "", ""] : (JSON.parse(after) as [string, string, string]);
  const rows = await db.execute<{ place: string; line: string }>(sql`
    select json_build_array(archived_at::text, kind, id)::text as place,
      json_build_object('archived_at', to_json(archived_at at time zone 'UTC'), 'kind', kind, 'id', id, 'row', row)::text as line
    from archived_rows where archived_at >= ${beginningOf(month, 0)}::timestamptz and archived_at < ${beginningOf(month, 1)}::timestamptz
      and (archived_at, kind, id) > (${at}::timestamptz, ${kind}, ${id}) order by archived_at, kind, id limit ${limit}`);
  return [...rows];
}

/** When a month of the archive begins, or a later one. */
function beginningOf(name: string, later: number): string {
  const [year = 0, month = 0] = name.split("_").slice(-2).map(Number);
  return new Date(Date.UTC(year, month - 1 + later, 1)).toISOString();
}

/** Nobody else records this month's export until the transaction ends. */
export async function lockExport(tx: Database, month: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`archive.exported ${month}`}, 0))`);
}

/** The newest audit entry about an exported month. */
export async function findExport(db: Database, month: string): Promise<{ rows: number; sha256: string } | null> {
  const [row] = await db.execute<{ rows: number; sha256: string }>(sql`
    select (change ->> 'rows')::float8 as rows, change ->> 'sha256' as sha256 from audit_entries
    where object_id = ${month} and action = 'archive.exported' order by id desc limit 1`);
  return row ?? null;
}

/** Those of these months that were written out, by the audit log. */
export async function listExported(db: Database, months: readonly string[]): Promise<Set<string>> {
  const rows = await db.execute<{ month: string }>(sql`
    select distinct object_id as month from audit_entries
    where object_id = any(array(select jsonb_array_elements_text(${JSON.stringify(months)}::jsonb))) and action = 'archive.exported'`);
  return new Set(rows.map(({ month }) => month));
}
