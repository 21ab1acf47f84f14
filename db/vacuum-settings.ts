import type postgres from "postgres";

/**
 * Autovacuum settings, and room on pages, of the tables that a settlement writes to. PostgreSQL's own wait for a fifth of a table's rows to be dead: of a hundred
 * million rows that is twenty million, and the walk then takes hours. `migrate` sets them, in each part of a partitioned table.
 */
type Settings = Readonly<Record<string, number>>;

/** Many rows, each changed a few times while it is young. */
const CHANGED: Settings = {
  autovacuum_vacuum_scale_factor: 0.01,
  autovacuum_vacuum_threshold: 10_000,
  autovacuum_analyze_scale_factor: 0.02,
};
/**
 * The same with room on each page. An update that changes no indexed column stays on its page and writes to no index (HOT), if the new row fits
 * there. Rows of attempts grow when they end.
 */
const STAYING: Settings = { ...CHANGED, fillfactor: 85 };
const GROWING: Settings = { ...CHANGED, fillfactor: 75 };
/** Rows that come and go all the time. */
const PASSING: Settings = {
  autovacuum_vacuum_scale_factor: 0.02,
  autovacuum_vacuum_threshold: 5_000,
  autovacuum_analyze_scale_factor: 0.05,
};
/** Few rows, each changed many times a second. */
const COUNTED: Settings = {
  autovacuum_vacuum_scale_factor: 0,
  autovacuum_vacuum_threshold: 500,
  autovacuum_vacuum_cost_delay: 0,
};
/** Rows that never change. Its pages are frozen when they are first vacuumed, so that the walk against wraparound skips them. */
const ADDED: Settings = {
  autovacuum_vacuum_insert_scale_factor: 0.02,
  autovacuum_vacuum_insert_threshold: 100_000,
  autovacuum_analyze_scale_factor: 0.02,
  autovacuum_freeze_min_age: 0,
};

export const VACUUM_SETTINGS: Readonly<Record<string, Settings>> = {
  settlements: CHANGED,
  settlement_batches: CHANGED,
  settlement_approvals: CHANGED,
  approval_demands: CHANGED,
  callbacks: STAYING,
  callback_attempts: GROWING,
  transfers: STAYING,
  transactions: STAYING,
  transaction_attempts: STAYING,

  nonces: PASSING,
  idempotency_keys: PASSING,
  audit_unsealed: PASSING,

  exposure_counters: COUNTED,
  event_counters: COUNTED,
  event_floors: COUNTED,
  wallets: COUNTED,
  processes: COUNTED,

  settlement_quotes: ADDED,
  payment_verdicts: ADDED,
  events: ADDED,
  api_requests: ADDED,
  audit_entries: ADDED,
  ledger_entries: ADDED,
  ledger_postings: ADDED,
};

/** Those of the tables that only Citus's layout has, too. */
const ALL: typeof VACUUM_SETTINGS = { ...VACUUM_SETTINGS, citus_nonces: PASSING, citus_outbox: PASSING };

/** Sets what differs, so that a second run locks nothing. Runs as the owner. */
export async function applyVacuumSettings(sql: postgres.Sql): Promise<void> {
  const parts = await sql<{ part: string; name: string; options: string[] }[]>`
    select c.oid::regclass::text as part, coalesce(root.relname, c.relname) as name, coalesce(c.reloptions, '{}') as options
    from pg_class c left join pg_inherits h on h.inhrelid = c.oid left join pg_class root on root.oid = h.inhparent
    where c.relkind = 'r' and coalesce(root.relnamespace, c.relnamespace) = 'public'::regnamespace
      and coalesce(root.relname, c.relname) = any(${Object.keys(ALL)}) order by 1`;
  for (const { part, name, options } of parts) {
    const missing = Object.entries(ALL[name] ?? {})
      .map(([setting, value]) => `${setting}=${value}`)
      .filter((option) => !options.includes(option));
    if (missing.length > 0) await sql.unsafe(`alter table ${part} set (${missing.join(", ")})`);
  }
}
