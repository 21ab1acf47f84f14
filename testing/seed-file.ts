import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import postgres from "postgres";

/**
 * A database's rows in a file: the time at which they were read, then a table a line, its name and its rows as JSON that only
 * PostgreSQL reads and writes, so that no number loses a digit. Parents come before their children.
 */
export async function writeSeed(url: string, file: string): Promise<number> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const lines = await sql.begin("isolation level repeatable read read only", async (tx) => {
      const [now] = await tx<{ at: string }[]>`select business_now()::text as at`;
      const tables: string[] = [];
      for (const { table } of await listTables(tx)) {
        const [row] = await tx<{ rows: string | null }[]>`select json_agg(t)::text as rows from ${tx(table)} t`;
        if (row?.rows) tables.push(`${table}\t${row.rows.replaceAll("\n", " ")}`);
      }
      return [now?.at ?? "", ...tables];
    });
    writeFileSync(file, gzipSync(lines.join("\n"), { level: 9 }));
    return lines.length - 1;
  } finally {
    await sql.end();
  }
}

/** Puts the rows into an empty database of the same schema, as its owner, and sets its business clock to when they were read. */
export async function loadSeed(url: string, file: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const [readAt = "", ...tables] = gunzipSync(readFileSync(file)).toString("utf8").split("\n");
  try {
    await sql.begin(async (tx) => {
      const known = await listTables(tx);
      // What the rows set off when they were made is among them.
      for (const { table } of known) await tx.unsafe(`alter table ${table} disable trigger user`);
      const rows = new Map(tables.map((line) => [line.slice(0, line.indexOf("\t")), line.slice(line.indexOf("\t") + 1)]));
      for (const { table, columns } of known) {
        await tx.unsafe(`delete from ${table}`);
        const json = rows.get(table);
        if (json === undefined) continue;
        const insert = `insert into ${table} (${columns}) overriding system value select ${columns} from json_populate_recordset(null::${table}, $1::text::json)`;
        await tx.unsafe(insert, [json]);
      }
      await continueSequences(tx);
      await tx`delete from business_clock`;
      await tx`insert into business_clock (only_row, offset_ms)
        values (true, (extract(epoch from ${readAt}::timestamptz - clock_timestamp()) * 1000)::bigint)`;
    });
    await sql.begin(async (tx) => {
      for (const { table } of await listTables(tx)) await tx.unsafe(`alter table ${table} enable trigger user`);
    });
  } finally {
    await sql.end();
  }
}

/** Parents before children; columns that are computed left out. */
async function listTables(tx: postgres.TransactionSql): Promise<{ table: string; columns: string }[]> {
  return await tx<{ table: string; columns: string }[]>`
    with recursive tables as (
      select oid from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
    ), references_to as (
      select conrelid as child, confrelid as parent from pg_constraint where contype = 'f' and conrelid <> confrelid
    ), depths as (
      select oid, 0 as depth from tables
      union
      select r.child, depth + 1 from depths d join references_to r on r.parent = d.oid where depth < 20
    )
    select oid::regclass::text as table, (
      select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
      where attrelid = oid and attnum > 0 and not attisdropped and attgenerated = ''
    ) as columns
    from depths group by oid order by max(depth), 1`;
}

async function continueSequences(tx: postgres.TransactionSql): Promise<void> {
  await tx`
    do $$ declare one record; begin
      for one in
        select s.oid::regclass as sequence, d.refobjid::regclass as place, a.attname as name
        from pg_class s join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i')
        join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
        where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace
      loop
        execute format('select setval(%L, coalesce((select max(%I) from %s), 0) + 1, false)', one.sequence, one.name, one.place);
      end loop;
    end $$`;
}
