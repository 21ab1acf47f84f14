import type postgres from "postgres";
import { withConnection } from "#sandbox/postgres/server.ts";
import { inDatabase } from "./cluster.ts";

/** What the catalogue of a node says of tables, a line each. */
const LINES: Readonly<Record<string, string>> = {
  columns: `select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end
    || coalesce(' ' || pg_get_expr(d.adbin, d.adrelid), '') || a.attgenerated::text as line
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind in ('r', 'v', 'p') and a.attnum > 0 and not a.attisdropped and c.relnamespace = 'public'::regnamespace`,
  constraints: `select c.relname || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid) || ' ' || k.convalidated::text as line
    from pg_constraint k join pg_class c on c.oid = k.conrelid where k.connamespace = 'public'::regnamespace`,
  indexes: `select pg_get_indexdef(i.indexrelid) || ' ' || i.indisvalid::text as line
    from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace`,
  triggers: `select c.relname || ' ' || pg_get_triggerdef(t.oid) as line
    from pg_trigger t join pg_class c on c.oid = t.tgrelid where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`,
  functions: `select p.oid::regprocedure || ' ' || p.prosecdef::text || ' ' || md5(p.prosrc) || ' ' || coalesce((select string_agg(x::text, ' ' order by x::text)
    from unnest(p.proacl) x), '') as line from pg_proc p where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  views: `select c.relname || ' ' || pg_get_viewdef(c.oid) as line from pg_class c where c.relkind = 'v' and c.relnamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`,
  policies: `select c.relname || ' ' || c.relrowsecurity::text || ' ' || coalesce(p.polname::text || ' ' || p.polcmd::text || ' '
    || coalesce(pg_get_expr(p.polqual, c.oid), '') || ' ' || coalesce(pg_get_expr(p.polwithcheck, c.oid), ''), '') as line
    from pg_class c left join pg_policy p on p.polrelid = c.oid where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`,
  rights: `select c.relname || ' ' || r.name || ' ' || r.given as line from pg_class c
    cross join lateral (select '' as name, unnest(c.relacl)::text as given
      union all select b.attname::text, unnest(b.attacl)::text from pg_attribute b where b.attrelid = c.oid) r
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'p')`,
};
const PLACES = `select logicalrelid::text || ' ' || partmethod::text || ' ' || repmodel::text || ' ' || coalesce(column_to_column_name(logicalrelid, partkey), '') as line
  from pg_dist_partition`;

/**
 * The layout of a database on every node: what is where, its keys, rules and rights. Numbers of parts are left out, and so is the database's
 * name, so that it can be compared with another one's.
 */
export async function readLayout(nodes: readonly string[], name: string): Promise<Record<string, string[]>[]> {
  return await Promise.all(
    nodes.map((url) =>
      withConnection(inDatabase(url, name), async (sql) => {
        // Otherwise Citus hides the parts from the catalogue.
        await sql.unsafe("set citus.override_table_visibility = off");
        const kinds = Object.entries({ ...LINES, places: PLACES });
        const found: [string, string[]][] = [];
        for (const [kind, query] of kinds) found.push([kind, await readLines(sql, query, name)]);
        return Object.fromEntries(found);
      }),
    ),
  );
}

/** The lines that only one of two has, of each node. */
export function differing(ones: Record<string, string[]>[], others: Record<string, string[]>[]): string[] {
  const linesOf = (layouts: Record<string, string[]>[]) =>
    layouts.flatMap((layout, node) =>
      Object.entries(layout).flatMap(([kind, lines]) => lines.map((line) => `node ${node}, ${kind}: ${line}`)),
    );
  const [one, other] = [new Set(linesOf(ones)), new Set(linesOf(others))];
  const only = (these: Set<string>, those: Set<string>, mark: string) =>
    [...these].filter((line) => !those.has(line)).map((line) => `${mark} ${line}`);
  return [...only(one, other, "-"), ...only(other, one, "+")];
}

async function readLines(sql: postgres.Sql, query: string, name: string): Promise<string[]> {
  const rows = await sql.unsafe<{ line: string }[]>(query);
  const plain = rows.map(({ line }) => line.replaceAll(/_\d{6}\b/g, "").replaceAll(`${name}_`, "DATABASE_"));
  return [...new Set(plain)].sort();
}
