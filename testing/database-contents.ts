import type postgres from "postgres";

/**
 * All rows of all tables by their versions, as texts without what differs from one run of the same work to the next: ids, instants,
 * secrets.
 */
export type Contents = ReadonlyMap<string, ReadonlyMap<string, string>>;
/** How often each row is there more than it was, by table; fewer is negative. */
export type Change = Readonly<Record<string, Readonly<Record<string, number>>>>;

const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:[\d.]+(?:\+00:00|Z)?/g, "TIME"],
  [/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, "UUID"],
  [/\b[a-z]+_[0-9a-z]{26}\b/g, "ID"],
  [/\b(?:0x)?[0-9a-f]{64}\b/g, "HASH"],
  [/"(?:events_)?position": ?\d+/g, '"position": PLACE'],
  [/"v\d\.[^"]+"/g, '"SEALED"'],
  [/\$argon2[^"]+/g, "PASSWORD"],
  [/\+2547\d{8}/g, "PHONE"],
  [/"last_four": ?"[^"]{4}"/g, '"last_four": "FOUR"'],
  [/\b10\.\d+\.\d+\.\d+\b/g, "ADDRESS"],
];
/** Sums that grow with each request: the audit's rules check them. */
const SUMS: Readonly<Record<string, RegExp>> = { fiat_pools: /"[a-z]+_minor": ?\d+/g };

/** A version of a row never changes: an update makes another one. Its `cmin` does, when an update of it is rolled back. */
const VERSION = "concat_ws(' ', t.tableoid, t.ctid, t.xmin)";

type Table = { name: string; rows: string; fresh: Record<string, unknown>; horizon: string };

/**
 * Reads them, each version once. One statement counts the rows of all tables and gives the versions of transactions that no earlier reading
 * saw to their end. A table that has fewer rows than those known and the new ones is read again as a whole. `owner`: a connection as the role
 * that owns the tables.
 */
export function contentsReader(owner: postgres.Sql): () => Promise<Contents> {
  const known = new Map<string, Map<string, string>>();
  let horizon = "0";
  let statement: string | null = null;
  return async () => {
    statement ??= await statementOverAll(owner);
    const tables = await owner.unsafe<Table[]>(statement, [horizon], { prepare: true });
    for (const { name, rows, fresh } of tables) {
      const texts = new Map(known.get(name));
      for (const [version, row] of Object.entries(fresh)) if (!texts.has(version)) texts.set(version, alike(name, String(row)));
      known.set(name, texts.size === Number(rows) ? texts : await stillThere(owner, name, texts));
    }
    horizon = tables[0]?.horizon ?? horizon;
    return new Map(known);
  };
}

/** Those of the versions that the table still has; it may have no other. */
async function stillThere(owner: postgres.Sql, name: string, texts: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const present = await owner<{ version: string }[]>`select ${owner.unsafe(VERSION)} as version from ${owner(name)} t`;
  return new Map(
    present.map(({ version }) => {
      const text = texts.get(version);
      if (text === undefined) throw new Error(`${name} has the row ${version}, which no reading gave`);
      return [version, text];
    }),
  );
}

async function statementOverAll(owner: postgres.Sql): Promise<string> {
  const tables = await owner<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  const fresh = `coalesce(jsonb_object_agg(${VERSION}, (to_jsonb(t) - 'sequence')::text) filter (where t.xmin::text::bigint >= $1::bigint), '{}')`;
  const horizon = "pg_snapshot_xmin(pg_current_snapshot())::text";
  return tables
    .map(({ name }) => `select '${name}' as name, count(*)::text as rows, ${fresh} as fresh, ${horizon} as horizon from "${name}" t`)
    .join(" union all ");
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
    const [old, now] = [before.get(table) ?? NONE, after.get(table) ?? NONE];
    for (const [version, row] of now) if (!old.has(version)) counts.set(row, (counts.get(row) ?? 0) + times);
    for (const [version, row] of old) if (!now.has(version)) counts.set(row, (counts.get(row) ?? 0) - times);
    return [table, Object.fromEntries([...counts].filter(([, count]) => count !== 0))] as const;
  });
  return Object.fromEntries(tables.filter(([, rows]) => Object.keys(rows).length > 0));
}

const NONE: ReadonlyMap<string, string> = new Map();
