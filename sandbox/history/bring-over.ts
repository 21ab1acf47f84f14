import postgres from "postgres";
import { placeEvents } from "./place-events.ts";

/**
 * Tables that stay the present's: clocks, heads, people's sessions and everything derived. Rates are the newest ones, so the present's
 * stay.
 */
const LEFT_OUT = [
  "access_tokens",
  "audit_seals",
  "audit_unsealed",
  "audit_verifications",
  "business_clock",
  "chain_cursors",
  "chain_heads",
  "exchange_rates",
  "idempotency_keys",
  "ledger_snapshots",
  "login_throttles",
  "nonces",
  "processes",
  "reconciliations",
  "sessions",
  "signing_journal",
];

const ROWS_AT_ONCE = 500;

/**
 * Copies every row that the past has and the present has not, in one transaction: the whole history or nothing. Both databases start as the
 * same one, so a row with an equal key is the same row, and the present's is newer.
 */
export async function bringOver(pastUrl: string, presentUrl: string): Promise<void> {
  const past = postgres(pastUrl, { max: 1, onnotice: () => {} });
  const present = postgres(presentUrl, { max: 1, onnotice: () => {} });
  try {
    await present.begin(async (tx) => {
      // Nothing is sealed while this computes what is to be sealed: it takes the sealing's own lock.
      await tx`select pg_advisory_xact_lock(7355611)`;
      for (const table of await tablesInOrder(tx)) await bringTable(past, tx, table);
      await placeEvents(tx);
      // The present's log is sealed by the present; it has sealed the common beginning.
      await tx`
        insert into audit_unsealed (entry_id) select id from audit_entries
        where not exists (select 1 from audit_seals where entry_id = id) on conflict do nothing`;
      // Entries are dated before they came here: what judges the log's dates must know that time is movable here.
      await tx`insert into business_clock (only_row, offset_ms) values (true, 0) on conflict do nothing`;
      // A snapshot says what was posted before an id; the history's ids are smaller. The next ones are made from the beginning.
      await tx`alter table ledger_snapshots disable trigger append_only`;
      await tx`delete from ledger_snapshots`;
      await tx`alter table ledger_snapshots enable trigger append_only`;
    });
  } finally {
    await Promise.all([past.end({ timeout: 1 }), present.end({ timeout: 1 })]);
  }
}

/** Each table after those that it refers to. */
async function tablesInOrder(sql: postgres.TransactionSql): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public' order by 1`;
  const references = await sql<{ from: string; to: string }[]>`
    select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
    where contype = 'f' and conrelid <> confrelid`;
  const left = new Set(tables.map(({ name }) => name));
  const ordered: string[] = [];
  while (left.size > 0) {
    const ready = [...left].filter((name) => !references.some(({ from, to }) => from === name && left.has(to)));
    if (ready.length === 0) throw new Error("the tables refer to one another in a circle");
    for (const name of ready) left.delete(name);
    ordered.push(...ready);
  }
  return ordered.filter((name) => !LEFT_OUT.includes(name));
}

async function bringTable(past: postgres.Sql, tx: postgres.TransactionSql, table: string): Promise<void> {
  const [row] = await tx<{ columns: string }[]>`
    select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`;
  const columns = tx.unsafe(row?.columns ?? "");
  // As texts, which PostgreSQL itself writes and reads: no driver rounds an instant or an amount on the way.
  const batches = past<{ row: string }[]>`select to_json(t)::text as row from ${past(table)} t`.cursor(ROWS_AT_ONCE);
  for await (const rows of batches) {
    const list = `[${rows.map(({ row }) => row).join(",")}]`;
    await tx`insert into ${tx(table)} (${columns}) select ${columns} from json_populate_recordset(null::${tx(table)}, ${list}::text::json) on conflict do nothing`;
  }
}
