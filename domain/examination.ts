/** What an examination found. `trouble`: people must act now. `warning`: soon. `remedy` null: nothing is to be done. */
export type Finding = { subject: string; level: "ok" | "warning" | "trouble"; detail: string; remedy: string | null };

/** What PostgreSQL says about itself and about the database. Sizes in bytes, ages in transactions or seconds. */
export type DatabaseFacts = {
  /** As `server_version_num`: 150014 is 15.14. */
  version: number;
  /** By name, as `current_setting` gives them. */
  settings: Readonly<Record<string, string>>;
  encoding: string;
  /** How text sorts. Whether an index serves texts that begin alike: only where it sorts by code points. Whether ids sort by their time. */
  collation: { name: string; servesPrefixes: boolean; sortsIds: boolean };
  /** How far the database's clock is ahead of this machine's, in milliseconds; negative: behind. */
  clockAheadMs: number;
  /** The oldest transaction that some row of this database still refers to. */
  oldestTransaction: number;
  connections: { used: number; most: number };
  /** Null: nothing is archived. */
  archiver: { failsSinceLast: boolean; lastSecondsAgo: number | null } | null;
  standbys: readonly { name: string; lagBytes: number }[];
  /** Replication slots that no standby uses: they keep the write-ahead log. */
  idleSlots: readonly string[];
  /** Tables with many dead rows. */
  bloated: readonly { table: string; dead: number; live: number }[];
};

const NEWEST_MAJOR = 18;
const OLDEST_MAJOR = 15;
const CLOCK_WARNING_MS = 2_000;
/** A request's timestamp may be five minutes off (contract, part 1). */
const CLOCK_TROUBLE_MS = 60_000;
const WRAPAROUND_WARNING = 500_000_000;
const WRAPAROUND_TROUBLE = 1_500_000_000;
const FULL_WARNING = 0.8;
const ARCHIVE_OLD_SECONDS = 900;
const STANDBY_LAG_BYTES = 256 * 1_048_576;
const LEAST_SHARED_BUFFERS = 256 * 1_048_576;

export const ok = (subject: string, detail: string): Finding => ({ subject, level: "ok", detail, remedy: null });
export const warning = (subject: string, detail: string, remedy: string): Finding => ({ subject, level: "warning", detail, remedy });
export const trouble = (subject: string, detail: string, remedy: string): Finding => ({ subject, level: "trouble", detail, remedy });

/** Judges a database for this service. The limits are those of the alerts in `ops/prometheus/surroundings.yml`. */
export function examineDatabase(facts: DatabaseFacts): Finding[] {
  return [
    judgeVersion(facts.version),
    judgeDurability(facts.settings),
    judgeJit(facts.settings),
    ...judgeSettings(facts),
    judgeCollation(facts.collation),
    judgeClock(facts.clockAheadMs),
    judgeWraparound(facts.oldestTransaction),
    judgeConnections(facts.connections),
    judgeArchiver(facts.archiver),
    ...judgeReplication(facts),
    judgeBloat(facts.bloated),
  ];
}

function judgeVersion(version: number): Finding {
  const major = Math.floor(version / 10_000);
  const name = `PostgreSQL ${major}.${version % 10_000}`;
  if (major < OLDEST_MAJOR || major > NEWEST_MAJOR)
    return trouble(
      "version",
      `${name} is not supported`,
      `Use PostgreSQL ${OLDEST_MAJOR} to ${NEWEST_MAJOR} (SECURITY.md lists what is tested).`,
    );
  return ok("version", name);
}

/** What makes a confirmed commit survive. */
function judgeDurability(settings: DatabaseFacts["settings"]): Finding {
  const off = ["fsync", "full_page_writes", "synchronous_commit"].filter((name) => settings[name] === "off");
  if (off.length === 0) return ok("durability", "a confirmed commit survives a crash of the machine");
  return trouble(
    "durability",
    `${off.map((name) => `${name} is off`).join(", ")}: a crash loses commits that were confirmed`,
    `Set ${off.join(", ")} to on, and restart PostgreSQL.`,
  );
}

function judgeJit({ jit }: DatabaseFacts["settings"]): Finding {
  if (jit !== "on") return ok("jit", "statements are not compiled");
  return trouble(
    "jit",
    "jit is on for this log-in: each quote takes many times longer, and the service does not start",
    "Run `npm run migrate`, or `alter role … set jit = off`, then RECONNECT in the pooler (docs/runbooks/pgbouncer.md).",
  );
}

function judgeSettings({ settings, encoding }: DatabaseFacts): Finding[] {
  const found: Finding[] = [];
  if (encoding !== "UTF8")
    found.push(trouble("encoding", `the database's encoding is ${encoding}`, "Make it again with `encoding 'UTF8'`."));
  if (settings.autovacuum === "off")
    found.push(trouble("autovacuum", "autovacuum is off: tables grow, and the database stops one day", "Set autovacuum to on."));
  const buffers = sizeOf(settings.shared_buffers);
  if (buffers !== null && buffers < LEAST_SHARED_BUFFERS)
    found.push(
      warning(
        "shared_buffers",
        `shared_buffers is ${settings.shared_buffers}`,
        "Give it a quarter of the machine's memory, 256 MB at least.",
      ),
    );
  const log = sizeOf(settings.max_wal_size);
  if (log !== null && log < 4 * 1_073_741_824)
    found.push(
      warning(
        "max_wal_size",
        `max_wal_size is ${settings.max_wal_size}: under load, checkpoints come often and write each page again`,
        "Set it to 4 GB or more, where the disk has room.",
      ),
    );
  return found.length > 0 ? found : [ok("settings", "autovacuum, shared_buffers and max_wal_size fit this load")];
}

function judgeCollation({ name, servesPrefixes, sortsIds }: DatabaseFacts["collation"]): Finding {
  if (!sortsIds)
    return trouble(
      "collation",
      `text sorts by ${name}, which does not keep ids in the order of their time: \`migrate\` refuses it`,
      MOVE_ROWS,
    );
  if (servesPrefixes) return ok("collation", "a search for the beginning of a reference is served by an index");
  return warning(
    "collation",
    `text sorts by ${name}, so a search for references or merchants by their beginning reads all settlements`,
    MOVE_ROWS,
  );
}
const MOVE_ROWS = "Make the database as docs/runbooks/start-live.md says (`lc_collate 'C'`), and move the rows by dump and restore.";

/** In bytes; null: not a size that PostgreSQL writes. */
function sizeOf(text = ""): number | null {
  const [, number, unit] = /^(\d+)(B|kB|MB|GB|TB)$/.exec(text) ?? [];
  const power = ["B", "kB", "MB", "GB", "TB"].indexOf(unit ?? "");
  return number === undefined || power < 0 ? null : Number(number) * 1_024 ** power;
}

function judgeClock(aheadMs: number): Finding {
  const detail = `the database's clock is ${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs < 0 ? "behind" : "ahead of"} this machine's`;
  const remedy = "Let chrony or systemd-timesyncd set the clock of both machines.";
  if (Math.abs(aheadMs) >= CLOCK_TROUBLE_MS) return trouble("clock", detail, remedy);
  return Math.abs(aheadMs) >= CLOCK_WARNING_MS ? warning("clock", detail, remedy) : ok("clock", detail);
}

function judgeWraparound(age: number): Finding {
  const detail = `the oldest transaction is ${(age / 1e6).toFixed(0)} million transactions old`;
  const remedy = "See that autovacuum keeps up, and run `vacuum freeze` on the oldest tables (docs/runbooks/database-away.md).";
  if (age >= WRAPAROUND_TROUBLE) return trouble("wraparound", detail, remedy);
  return age >= WRAPAROUND_WARNING ? warning("wraparound", detail, remedy) : ok("wraparound", detail);
}

function judgeConnections({ used, most }: DatabaseFacts["connections"]): Finding {
  const detail = `${used} of ${most} connections are used`;
  if (used < FULL_WARNING * most) return ok("connections", detail);
  return warning("connections", detail, "Raise max_connections, or put PgBouncer in front (docs/runbooks/pgbouncer.md).");
}

function judgeArchiver(archiver: DatabaseFacts["archiver"]): Finding {
  const page = "docs/runbooks/backup.md";
  if (archiver === null)
    return warning(
      "archive",
      "the write-ahead log is not archived: a restore reaches only the moment of a backup",
      `Set it up by ${page}.`,
    );
  if (archiver.failsSinceLast)
    return trouble("archive", "the archiver fails: the disk fills up, and a restore would lose what is not archived", `See ${page}.`);
  const { lastSecondsAgo } = archiver;
  if (lastSecondsAgo === null) return warning("archive", "nothing was archived yet", `Run \`pgbackrest check\` (${page}).`);
  const detail = `the newest archived log is ${Math.round(lastSecondsAgo)} s old`;
  if (lastSecondsAgo <= ARCHIVE_OLD_SECONDS) return ok("archive", detail);
  return warning("archive", detail, `See ${page}: archive_timeout should be 60 s.`);
}

function judgeReplication({ standbys, idleSlots, settings }: DatabaseFacts): Finding[] {
  const found: Finding[] = idleSlots.map((slot) =>
    warning("replication", `no standby uses the slot ${slot}, which keeps the write-ahead log`, `Drop it, or bring its standby back.`),
  );
  const late = standbys.filter(({ lagBytes }) => lagBytes > STANDBY_LAG_BYTES);
  for (const { name, lagBytes } of late)
    found.push(
      warning("replication", `the standby ${name} is ${Math.round(lagBytes / 1_048_576)} MB behind`, "See docs/runbooks/failover.md."),
    );
  if ((settings.synchronous_standby_names ?? "").trim() === "")
    found.push(
      warning(
        "replication",
        "no standby is synchronous: if the machine dies, the last commits may be lost",
        "See docs/runbooks/failover.md; with a managed PostgreSQL, docs/runbooks/managed-postgresql.md.",
      ),
    );
  return found.length > 0 ? found : [ok("replication", `${standbys.length} standbys follow, commits wait for one`)];
}

function judgeBloat(bloated: DatabaseFacts["bloated"]): Finding {
  if (bloated.length === 0) return ok("dead rows", "no table has more dead rows than a fifth of its rows");
  const tables = bloated.map(({ table, dead, live }) => `${table} (${dead} dead, ${live} live)`).join(", ");
  return warning("dead rows", `many dead rows in ${tables}`, "Look for a transaction that stays open, and run `vacuum` on them.");
}

/** The exit code for cron: 0 all is well, 1 warnings, 2 troubles. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ level }) => level === "trouble")) return 2;
  return findings.some(({ level }) => level === "warning") ? 1 : 0;
}
