import { type Finding, ok, warning } from "./examination.ts";

/** What PostgreSQL has counted about a database, for advice on its size and speed. Sizes in bytes, times in milliseconds. */
export type AdviceFacts = {
  /** Since when PostgreSQL counts, in days; null: since it was made. */
  countedDays: number | null;
  /** `expected`: the size that its rows need, by the sampled widths. */
  tables: readonly {
    table: string;
    size: number;
    expected: number;
    dead: number;
    live: number;
    autovacuumed: boolean;
    frozenAge: number;
  }[];
  /** Neither unique nor of a constraint, and never read. */
  unusedIndexes: readonly { index: string; table: string; size: number }[];
  /** Null: PostgreSQL does not count statements. `share`: of the time of all. */
  statements: readonly { text: string; calls: number; meanMs: number; share: number }[] | null;
  standbys: readonly { name: string; lagBytes: number; lagMs: number | null }[];
  /** In PostgreSQL's own units, as `pg_settings` has them. */
  settings: Readonly<Record<string, string>>;
};

const MB = 1_048_576;
/** Smaller tables and indexes are not worth the work. */
const WORTH_BYTES = 64 * MB;
const BLOATED = 2;
const LEAST_COUNTED_DAYS = 7;
const LEAST_CALLS = 100;
/** A request has 1.7 s for all of its statements. */
const SLOW_MS = 100;
const LAG_MS = 10_000;
const FROZEN_AGE = 1_000_000_000;

const inMb = (bytes: number) => `${Math.round(bytes / MB)} MB`;

/** Says what makes the database larger or slower than it need be, and what to do. `doctor` names what is dangerous. */
export function adviseDatabase(facts: AdviceFacts): Finding[] {
  return [
    ...adviseBloat(facts.tables),
    ...adviseVacuum(facts.tables),
    ...adviseIndexes(facts),
    ...adviseStatements(facts.statements),
    ...adviseStandbys(facts.standbys),
    ...adviseSettings(facts.settings),
  ];
}

function adviseBloat(tables: AdviceFacts["tables"]): Finding[] {
  const bloated = tables.filter(({ size, expected }) => size > WORTH_BYTES && size > BLOATED * expected);
  if (bloated.length === 0) return [ok("bloat", "no table takes twice the space of its rows")];
  return bloated.map(({ table, size, expected }) =>
    warning(
      "bloat",
      `${table} takes ${inMb(size)}, and its rows need about ${inMb(expected)}`,
      "PostgreSQL fills the space again. To have it back, run pg_repack on the table, or `vacuum full` while nothing runs.",
    ),
  );
}

function adviseVacuum(tables: AdviceFacts["tables"]): Finding[] {
  const late = tables.filter(({ dead, live, autovacuumed }) => dead > 100_000 && (dead > live / 5 || !autovacuumed));
  const old = tables.filter(({ frozenAge }) => frozenAge > FROZEN_AGE);
  if (late.length + old.length === 0) return [ok("vacuum", "autovacuum keeps up")];
  return [
    ...late.map(({ table, dead }) =>
      warning(
        "vacuum",
        `${table} has ${dead} dead rows`,
        "Look for a transaction that stays open, raise autovacuum_max_workers, and run `npm run migrate`, which sets the hot tables.",
      ),
    ),
    ...old.map(({ table, frozenAge }) =>
      warning(
        "vacuum",
        `${table} was last frozen ${Math.round(frozenAge / 1e6)} million transactions ago`,
        `Run \`vacuum freeze ${table}\`.`,
      ),
    ),
  ];
}

function adviseIndexes({ unusedIndexes, countedDays }: AdviceFacts): Finding[] {
  if (countedDays !== null && countedDays < LEAST_COUNTED_DAYS)
    return [ok("indexes", `PostgreSQL has counted for ${countedDays.toFixed(1)} days: ask again after a week`)];
  const unused = unusedIndexes.filter(({ size }) => size > WORTH_BYTES);
  if (unused.length === 0) return [ok("indexes", "each large index is read")];
  return unused.map(({ index, table, size }) =>
    warning(
      "indexes",
      `${index} of ${table} takes ${inMb(size)}, and nothing has read it`,
      "Each write pays for it. Tell the makers of the service. Drop it only if no standby reads it either; a migration may make it again.",
    ),
  );
}

function adviseStatements(statements: AdviceFacts["statements"]): Finding[] {
  if (statements === null)
    return [
      warning(
        "statements",
        "PostgreSQL does not count statements",
        "Set shared_preload_libraries = 'pg_stat_statements', restart, and run `create extension pg_stat_statements` as a superuser.",
      ),
    ];
  const slow = statements.filter(({ calls, meanMs }) => calls >= LEAST_CALLS && meanMs > SLOW_MS);
  if (slow.length === 0) return [ok("statements", `none of the frequent ones takes more than ${SLOW_MS} ms`)];
  return slow.map(({ text, calls, meanMs, share }) =>
    warning(
      "statements",
      `${meanMs.toFixed(0)} ms, ${calls} times, ${(100 * share).toFixed(0)} % of all time: ${text.replaceAll(/\s+/g, " ").slice(0, 120)}`,
      "Run `analyze` on its tables, and see that they fit into memory. If it stays slow, report it with its plan.",
    ),
  );
}

function adviseStandbys(standbys: AdviceFacts["standbys"]): Finding[] {
  const late = standbys.filter(({ lagMs }) => (lagMs ?? 0) > LAG_MS);
  if (late.length === 0) return [ok("replication", `${standbys.length} standbys, none more than ${LAG_MS / 1_000} s behind`)];
  return late.map(({ name, lagMs, lagBytes }) =>
    warning(
      "replication",
      `${name} is ${Math.round((lagMs ?? 0) / 1_000)} s and ${inMb(lagBytes)} behind`,
      "See its disk, its network, and long queries on it (docs/runbooks/replica.md, docs/runbooks/failover.md).",
    ),
  );
}

type Setting = { name: string; isWrong(value: number): boolean; why: string; remedy: string };

const WRONG: readonly Setting[] = [
  {
    name: "checkpoint_timeout",
    isWrong: (seconds) => seconds < 900,
    why: "each checkpoint writes whole pages again, which doubles the log",
    remedy: "Set it to 15min or more.",
  },
  {
    name: "random_page_cost",
    isWrong: (cost) => cost > 2,
    why: "PostgreSQL prefers to read whole tables, as for a turning disk",
    remedy: "Set it to 1.1 on flash storage.",
  },
  {
    name: "maintenance_work_mem",
    isWrong: (kilobytes) => kilobytes < 262_144,
    why: "a vacuum walks the indexes several times, and an index takes longer to build",
    remedy: "Set it to 256MB or more.",
  },
  {
    name: "autovacuum_vacuum_cost_limit",
    isWrong: (limit) => limit >= 0 && limit < 1_000,
    why: "autovacuum sleeps most of the time, and falls behind at a hundred settlements a second",
    remedy: "Set it to 2000.",
  },
  {
    name: "autovacuum_naptime",
    isWrong: (seconds) => seconds > 15,
    why: "tables whose rows change many times a second are looked at too rarely",
    remedy: "Set it to 10s.",
  },
];

function adviseSettings(settings: AdviceFacts["settings"]): Finding[] {
  const numberOf = (name: string) => (settings[name] === undefined ? Number.NaN : Number(settings[name]));
  // -1: it is that of a manual vacuum.
  const limit = numberOf("autovacuum_vacuum_cost_limit") === -1 ? numberOf("vacuum_cost_limit") : numberOf("autovacuum_vacuum_cost_limit");
  const found = WRONG.filter(({ name, isWrong }) => isWrong(name === "autovacuum_vacuum_cost_limit" ? limit : numberOf(name)));
  const compression = settings.wal_compression === "off";
  if (found.length === 0 && !compression) return [ok("settings", "they fit this load")];
  return [
    ...found.map(({ name, why, remedy }) => warning("settings", `${name} is ${settings[name]}: ${why}`, remedy)),
    ...(compression
      ? [warning("settings", "wal_compression is off: each first change of a page is written whole", "Set it to lz4, or to on.")]
      : []),
  ];
}
