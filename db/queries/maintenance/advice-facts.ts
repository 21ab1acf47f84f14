import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { AdviceFacts } from "#domain/advice.ts";

const SETTINGS = [
  "checkpoint_timeout",
  "random_page_cost",
  "maintenance_work_mem",
  "autovacuum_vacuum_cost_limit",
  "vacuum_cost_limit",
  "autovacuum_naptime",
  "wal_compression",
] as const;
const MOST_STATEMENTS = 20;
/** What a row takes besides its values: its header, its pointer, and the space that a page keeps. */
const ROW_BYTES = 40;

type Row = Pick<AdviceFacts, "tables" | "unusedIndexes" | "standbys" | "settings"> & { counted_days: number | null; counts: boolean };

/** Reads what PostgreSQL has counted. As the owner it sees all widths; as a member of `pg_monitor` also the standbys and all statements. */
export async function readAdviceFacts(db: Database): Promise<AdviceFacts> {
  const names = sql.join(
    SETTINGS.map((name) => sql`${name}`),
    sql`, `,
  );
  const [row] = await db.execute<Row>(sql`
    with widths as (
      select format('%I.%I', schemaname, tablename)::regclass as id, sum(avg_width * (1 - null_frac)) as width from pg_stats
      where schemaname in ('public', 'parts') group by 1)
    select
      (select extract(epoch from now() - stats_reset)::float8 / 86400 from pg_stat_database where datname = current_database()) as counted_days,
      coalesce((select json_agg(json_build_object('table', c.oid::regclass::text, 'size', pg_table_size(c.oid)::float8,
          'expected', (case when c.reltuples >= 0 then c.reltuples else s.n_live_tup end * (coalesce(w.width, 0) + ${ROW_BYTES}))::float8,
          'dead', s.n_dead_tup, 'live', s.n_live_tup, 'autovacuumed', s.last_autovacuum is not null, 'frozenAge', age(c.relfrozenxid))
          order by c.oid::regclass::text)
        from pg_stat_user_tables s join pg_class c on c.oid = s.relid left join widths w on w.id = c.oid where c.relkind = 'r'), '[]') as tables,
      coalesce((select json_agg(json_build_object('index', i.indexrelid::regclass::text, 'table', i.relid::regclass::text,
          'size', pg_relation_size(i.indexrelid)::float8) order by pg_relation_size(i.indexrelid) desc)
        from pg_stat_user_indexes i join pg_index x on x.indexrelid = i.indexrelid
        where i.idx_scan = 0 and not x.indisunique and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)), '[]') as "unusedIndexes",
      coalesce((select json_agg(json_build_object('name', application_name, 'lagBytes', pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8,
          'lagMs', extract(epoch from replay_lag)::float8 * 1000)) from pg_stat_replication where replay_lsn is not null), '[]') as standbys,
      (select json_object_agg(name, setting) from pg_settings where name in (${names})) as settings,
      exists (select 1 from pg_extension where extname = 'pg_stat_statements') as counts`);
  if (row === undefined) throw new Error("the database did not answer");
  const { counted_days: countedDays, counts, ...facts } = row;
  return { ...facts, countedDays, statements: counts ? await readStatements(db) : null };
}

/** The ones that take the most time in all. */
async function readStatements(db: Database): Promise<AdviceFacts["statements"]> {
  return await db.execute<{ text: string; calls: number; meanMs: number; share: number }>(sql`
    select query as text, calls::float8 as calls, mean_exec_time as "meanMs",
      total_exec_time / nullif((select sum(total_exec_time) from pg_stat_statements), 0) as share
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
    order by total_exec_time desc limit ${MOST_STATEMENTS}`);
}
