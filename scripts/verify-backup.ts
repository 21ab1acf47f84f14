/**
 * `npm run verify-backup` (`settlement-service verify-backup`) restores the newest backup into a folder of its own, reads the archive to its end,
 * starts PostgreSQL there and audits the database. It changes nothing else, and removes the folder.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { processRole } from "#db/application-role.ts";
import { openDatabase } from "#db/client.ts";
import { openAuditKey } from "#domain/audit-key.ts";
import { type BackupFigures, figuresText } from "#domain/backup-figures.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { auditLines } from "#server/services/ledger/audit-report.ts";
import { runCommand } from "./command.ts";
import { type RestoredCopy, restoreCopy } from "./restored-copy.ts";

const PGBACKREST = 'pgbackrest --stanza=settlement --pg1-path="$DATA" --no-delta --archive-mode=off restore';
const DEBIAN = "/usr/lib/postgresql";
/** Reading a whole database takes longer than any request may. */
const STATEMENT_TIMEOUT_MS = 600_000;

const USAGE = `Restores the newest backup into a folder of its own, audits it, and removes it. Run it where pgBackRest reads the repository, as postgres, or as root, which then runs PostgreSQL as postgres.

  --below FOLDER      where there is room for the whole database; default: the folder for temporary files
  --restore COMMAND   restores into the folder $DATA; default: ${PGBACKREST}
  --programs FOLDER   PostgreSQL's programs; default: the newest in ${DEBIAN}
  --database NAME     default: settlement
  --figures FILE      writes the figures for node_exporter's textfile collector
  --hours N           how long the restore may take; default: 24
  --help              this text

AUDIT_PUBLIC_KEY, if it is set, verifies the signatures of the audit log.
Exit code: 0 every rule holds, 1 one does not, 2 the backup could not be restored.
`;

async function main(): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      below: text,
      restore: text,
      programs: text,
      database: text,
      figures: text,
      hours: text,
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const database = values.database ?? "settlement";
  const copy = await restoreCopy({
    below: values.below ?? tmpdir(),
    command: values.restore ?? PGBACKREST,
    programs: values.programs ?? newestPrograms(),
    database,
    identity: identityOf(),
    withinMs: Number(values.hours ?? 24) * 3_600_000,
  });
  try {
    const figures = await verify(copy, database);
    if (values.figures !== undefined) writeWhole(values.figures, figuresText(figures));
    return figures.violations === 0 ? 0 : 1;
  } finally {
    await copy.remove();
  }
}

/** Audits the copy, and prints what it found. */
async function verify({ url, takenAt, reachesAt, tookMs }: RestoredCopy, name: string): Promise<BackupFigures> {
  const role = processRole(name, "web");
  const { db, close } = openDatabase({
    url,
    applicationName: "settlement-verify",
    maxConnections: 2,
    role,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  try {
    const encoded = process.env.AUDIT_PUBLIC_KEY;
    const publicKey = encoded ? Buffer.from(encoded, "base64") : null;
    const report = await auditDatabase({ db, auditKey: openAuditKey({ secret: null, publicKey, begins: null }) });
    const seconds = (tookMs / 1_000).toFixed(0);
    const found = `Restored in ${seconds} s. The backup was begun at ${takenAt.toISOString()}, and its archive reaches to ${reachesAt.toISOString()}.`;
    process.stdout.write(`${[...auditLines(report), found].join("\n")}\n`);
    return { verifiedAt: new Date(), takenAt, reachesAt, restoreMs: tookMs, violations: report.violations };
  } finally {
    await close();
  }
}

/** PostgreSQL does not run as root. */
function identityOf(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = ["-u", "-g"].map((which) => Number(spawnSync("id", [which, "postgres"], { encoding: "utf8" }).stdout));
  if (!uid || !gid) throw new Error("PostgreSQL does not run as root, and there is no user postgres here.");
  return { uid, gid };
}

function newestPrograms(): string {
  const [newest] = readdirSync(DEBIAN)
    .filter((name) => /^\d+$/.test(name))
    .toSorted((one, other) => Number(other) - Number(one));
  return `${DEBIAN}/${newest}/bin`;
}

/** node_exporter never reads half a file. */
function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o644 });
  renameSync(`${file}.new`, file);
}

await runCommand(main, { failed: 2 });
