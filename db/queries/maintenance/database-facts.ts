import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { SORTS_IDS } from "#db/id-order.ts";
import type { DatabaseFacts } from "#domain/examination.ts";

const SETTINGS = [
  "jit",
  "fsync",
  "full_page_writes",
  "synchronous_commit",
  "synchronous_standby_names",
  "autovacuum",
  "shared_buffers",
  "max_wal_size",
] as const;
/** A table with fewer is not worth a look. */
const MANY_DEAD = 100_000;

type Row = {
  version: number;
  settings: Record<string, string>;
  encoding: string;
  collation: { name: string; servesPrefixes: boolean; sortsIds: boolean };
  now_ms: number;
  oldest: number;
  used: number;
  most: number;
  archive_mode: string;
  archived_ago: number | null;
  failed_ago: number | null;
  standbys: { name: string; lagBytes: number }[];
  idle_slots: string[];
  bloated: { table: string; dead: number; live: number }[];
};

/**
 * What PostgreSQL says about itself, also before the first migration. A log-in that is no member of `pg_monitor` may see nothing of standbys.
 */
export async function readDatabaseFacts(db: Database): Promise<DatabaseFacts> {
  const names = sql.join(
    SETTINGS.map((name) => sql`${name}`),
    sql`, `,
  );
  const before = Date.now();
  const rows = await db.execute<Row>(sql`
    select current_setting('server_version_num')::int as version,
      (select json_object_agg(name, current_setting(name)) from unnest(array[${names}]) as name) as settings,
      pg_encoding_to_char(d.encoding)::text as encoding,
      json_build_object('name', case d.datlocprovider when 'i' then 'ICU' else d.datcollate end, 'servesPrefixes', d.datlocprovider = 'b' or d.datlocprovider = 'c' and d.datcollate in ('C', 'POSIX'),
        'sortsIds', ${sql.raw(SORTS_IDS)}) as collation,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms,
      age(d.datfrozenxid)::int as oldest,
      (select sum(numbackends)::int from pg_stat_database) as used,
      current_setting('max_connections')::int as most,
      current_setting('archive_mode') as archive_mode,
      (select extract(epoch from clock_timestamp() - last_archived_time)::float8 from pg_stat_archiver) as archived_ago,
      (select extract(epoch from clock_timestamp() - last_failed_time)::float8 from pg_stat_archiver) as failed_ago,
      coalesce((select json_agg(json_build_object('name', application_name, 'lagBytes',
        pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8)) from pg_stat_replication where replay_lsn is not null), '[]') as standbys,
      coalesce((select json_agg(slot_name) from pg_replication_slots where not active), '[]') as idle_slots,
      coalesce((select json_agg(json_build_object('table', relname, 'dead', n_dead_tup, 'live', n_live_tup) order by n_dead_tup desc)
        from pg_stat_user_tables where n_dead_tup > ${MANY_DEAD} and n_dead_tup > n_live_tup / 5), '[]') as bloated
    from pg_database d where d.datname = current_database()`);
  const after = Date.now();
  const [row] = rows;
  if (row === undefined) throw new Error("the database did not answer");
  const failsSinceLast = row.failed_ago !== null && (row.archived_ago === null || row.failed_ago < row.archived_ago);
  return {
    version: row.version,
    settings: row.settings,
    encoding: row.encoding,
    collation: row.collation,
    clockAheadMs: Math.round(row.now_ms - (before + after) / 2),
    oldestTransaction: row.oldest,
    connections: { used: row.used, most: row.most },
    archiver: row.archive_mode === "off" ? null : { failsSinceLast, lastSecondsAgo: row.archived_ago },
    standbys: row.standbys,
    idleSlots: row.idle_slots,
    bloated: row.bloated,
  };
}
