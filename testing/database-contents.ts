import type postgres from "postgres";

/** All rows of all tables as texts, without what differs from one run of the same work to the next: ids, instants, secrets. */
export type Contents = ReadonlyMap<string, readonly string[]>;
/** How often each row is there more than it was, by table; fewer is negative. */
export type Change = Readonly<Record<string, Readonly<Record<string, number>>>>;

const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:[\d.]+(?:\+00:00|Z)?/g, "TIME"],
  [/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, "UUID"],
  [/\b[a-z]+_[0-9a-z]{26}\b/g, "ID"],
  [/\b(?:0x)?[0-9a-f]{64}\b/g, "HASH"],
  [/"v\d\.[^"]+"/g, '"SEALED"'],
  [/\$argon2[^"]+/g, "PASSWORD"],
  [/\+2547\d{8}/g, "PHONE"],
  [/"last_four": ?"[^"]{4}"/g, '"last_four": "FOUR"'],
  [/\b10\.\d+\.\d+\.\d+\b/g, "ADDRESS"],
];
/** Sums that grow with each request: the audit's rules check them. */
const SUMS: Readonly<Record<string, RegExp>> = { fiat_pools: /"[a-z]+_minor": ?\d+/g };

/** `owner`: a connection as the role that owns the tables. */
export async function contentsOf(owner: postgres.Sql): Promise<Contents> {
  const tables = await owner<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  const read = tables.map(async ({ name }): Promise<[string, string[]]> => {
    const rows = await owner<{ row: string }[]>`select (to_jsonb(t) - 'sequence')::text as row from ${owner(name)} t`;
    return [name, rows.map(({ row }) => alike(name, row))];
  });
  return new Map(await Promise.all(read));
}

function alike(table: string, row: string): string {
  const masked = ALIKE.reduce((text, [what, name]) => text.replace(what, name), row);
  const sums = SUMS[table];
  return sums === undefined ? masked : masked.replace(sums, "SUM");
}

/** The changes between the two, multiplied by `times`: zero means none. */
export function changeOf(before: Contents, after: Contents, times = 1): Change {
  const tables = [...new Set([...before.keys(), ...after.keys()])].map((table) => {
    const counts = new Map<string, number>();
    for (const row of after.get(table) ?? []) counts.set(row, (counts.get(row) ?? 0) + times);
    for (const row of before.get(table) ?? []) counts.set(row, (counts.get(row) ?? 0) - times);
    return [table, Object.fromEntries([...counts].filter(([, count]) => count !== 0))] as const;
  });
  return Object.fromEntries(tables.filter(([, rows]) => Object.keys(rows).length > 0));
}
