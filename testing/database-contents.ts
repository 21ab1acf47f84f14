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

const NONE: ReadonlyMap<string, string> = new Map();

/** A version of a row never changes: an update makes another one. Not `cmin`, which a lock of the row overwrites. */
const VERSION = "concat_ws(' ', t.tableoid, t.ctid, t.xmin)";

type Read = { name: string; rows: number; fresh: [version: string, row: string][]; mark: string };

/**
 * Reads them: one statement counts the rows of each table and returns those of transactions since the last reading. Only of a table that
 * has lost rows all versions are read. `owner`: a connection as the role that owns the tables.
 */
export function contentsReader(owner: postgres.Sql): () => Promise<Contents> {
  let statement: string | null = null;
  let mark = "0";
  const known = new Map<string, ReadonlyMap<string, string>>();
  return async () => {
    statement ??= await statementOf(owner);
    const read = await owner.unsafe<Read[]>(statement, [mark], { prepare: true });
    for (const { name, rows, fresh } of read) {
      const before = known.get(name) ?? NONE;
      const unknown = fresh.filter(([version]) => !before.has(version));
      const texts = unknown.map(([version, row]) => [version, alike(name, row)] as const);
      const after = texts.length === 0 && known.has(name) ? before : new Map([...before, ...texts]);
      known.set(name, after.size === rows ? after : await present(owner, name, after));
    }
    mark = read[0]?.mark ?? mark;
    return new Map(known);
  };
}

async function statementOf(owner: postgres.Sql): Promise<string> {
  const tables = await owner<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  const parts = tables.map(
    ({ name }) => `select '${name}' as name, count(*)::int as rows, pg_snapshot_xmin(pg_current_snapshot())::text as mark, coalesce(
      jsonb_agg(jsonb_build_array(${VERSION}, (to_jsonb(t) - 'sequence')::text)) filter (where t.xmin::text::bigint >= $1::bigint), '[]'
    ) as fresh from "${name}" t`,
  );
  return parts.join(" union all ");
}

/** Those of the texts whose versions are still there. */
async function present(owner: postgres.Sql, name: string, texts: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
  const versions = await owner<{ version: string }[]>`select ${owner.unsafe(VERSION)} as version from ${owner(name)} t`;
  return new Map(
    versions.map(({ version }) => {
      const text = texts.get(version);
      if (text === undefined) throw new Error(`a row of ${name} was written while the tables were read`);
      return [version, text];
    }),
  );
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
    if (old === now) return [table, {}] as const;
    for (const [version, row] of now) if (!old.has(version)) counts.set(row, (counts.get(row) ?? 0) + times);
    for (const [version, row] of old) if (!now.has(version)) counts.set(row, (counts.get(row) ?? 0) - times);
    return [table, Object.fromEntries([...counts].filter(([, count]) => count !== 0))] as const;
  });
  return Object.fromEntries(tables.filter(([, rows]) => Object.keys(rows).length > 0));
}
