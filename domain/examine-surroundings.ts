import type { KnownBackup } from "./backup-figures.ts";
import { type Finding, ok, trouble, warning } from "./examination.ts";

const HOUR_MS = 3_600_000;
/** As the alerts in `ops/prometheus/surroundings.yml` say. */
const BACKUP_OLD_HOURS = 26;
const VERIFIED_OLD_DAYS = 8;
/** In seconds. PgBouncer's own default makes a restart of PostgreSQL an outage of sixteen seconds. */
const MOST_LOGIN_RETRY = 2;
/** No statement takes longer. */
const STATEMENT_SECONDS = 5;

/** A certificate that a server shows. `daysLeft` null: none could be read, for the reason in `detail`. */
export function examineCertificate(name: string, daysLeft: number | null, detail = ""): Finding {
  const subject = `certificate of ${name}`;
  if (daysLeft === null) return warning(subject, `could not be read: ${detail}`, "See that the address is right and answers.");
  const text = daysLeft < 0 ? "has ended" : `ends in ${Math.floor(daysLeft)} days`;
  if (daysLeft < 3) return trouble(subject, text, "Renew it now.");
  return daysLeft < 14 ? warning(subject, text, "Renew it.") : ok(subject, text);
}

/** A disk that the service or its database writes to. */
export function examineDisk(folder: string, { free, size }: { free: number; size: number }): Finding {
  const subject = `disk of ${folder}`;
  const detail = `${((free / size) * 100).toFixed(0)} % free (${(free / 1e9).toFixed(1)} GB)`;
  if (free / size >= 0.2) return ok(subject, detail);
  return (free / size < 0.1 ? trouble : warning)(subject, detail, "Make room, or a larger disk (docs/runbooks/retention.md).");
}

/** The backup, by the figures that its timer and `verify-backup` write. Null: no such file was given. */
export function examineBackup(known: KnownBackup | null, now: Date): Finding {
  const page = "docs/runbooks/backup.md";
  if (known === null)
    return warning("backup", "its age is not known here", `Give the file of its figures: \`doctor --backup FILE\` (${page}).`);
  const { madeAt, verifiedAt, violations } = known;
  if (violations !== null && violations > 0)
    return trouble(
      "backup",
      `the audit of the restored backup found ${violations} violations`,
      "Run `verify-backup` again, and read which.",
    );
  const hours = (at: Date) => Math.floor((now.getTime() - at.getTime()) / HOUR_MS);
  if (madeAt === null) return trouble("backup", "no backup was ever finished", `See ${page}.`);
  const detail = `the newest is ${hours(madeAt)} hours old`;
  if (hours(madeAt) > BACKUP_OLD_HOURS) return trouble("backup", detail, `See ${page}.`);
  if (verifiedAt === null) return warning("backup", `${detail}, and none was ever restored`, `Run \`verify-backup\` each week (${page}).`);
  const days = Math.floor(hours(verifiedAt) / 24);
  if (days > VERIFIED_OLD_DAYS)
    return warning("backup", `${detail}, and one was last restored ${days} days ago`, `Run \`verify-backup\` each week (${page}).`);
  return ok("backup", `${detail}, and one was restored and audited ${days} days ago`);
}

/** What PgBouncer is set to, by its `show config`. */
export function examinePooler(settings: Readonly<Record<string, string>>): Finding[] {
  const file = "See ops/database/pgbouncer.ini and docs/runbooks/pgbouncer.md.";
  const found: Finding[] = [];
  if (settings.pool_mode !== "transaction")
    found.push(trouble("pooler", `pool_mode is ${settings.pool_mode}: DATABASE_POOLER=transaction expects another`, file));
  if (Number(settings.server_login_retry) > MOST_LOGIN_RETRY)
    found.push(
      warning("pooler", `server_login_retry is ${settings.server_login_retry} s: each restart of PostgreSQL is an outage that long`, file),
    );
  const wait = Number(settings.query_wait_timeout);
  if (wait > 0 && wait < STATEMENT_SECONDS)
    found.push(warning("pooler", `query_wait_timeout is ${wait} s: it ends work that the service would still wait for`, file));
  if (found.length > 0) return found;
  const { default_pool_size: sessions, max_client_conn: clients } = settings;
  return [ok("pooler", `transaction mode, ${sessions} sessions for each log-in, ${clients} clients at most`)];
}
