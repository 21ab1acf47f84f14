/** What a verified backup showed. */
export type BackupFigures = {
  verifiedAt: Date;
  /** When the backup was begun. */
  takenAt: Date;
  /** Of the newest commit in it. */
  reachesAt: Date;
  restoreMs: number;
  /** Of the audit's rules. */
  violations: number;
};

const NAMES = {
  verified: "settlement_backup_verified_timestamp_seconds",
  taken: "settlement_backup_verified_taken_timestamp_seconds",
  reaches: "settlement_backup_verified_reaches_timestamp_seconds",
  restore: "settlement_backup_restore_seconds",
  violations: "settlement_backup_violations",
} as const;

/** Of the timer that makes backups (docs/runbooks/backup.md). */
const MADE = "settlement_backup_timestamp_seconds";

/** For node_exporter's textfile collector. */
export function figuresText({ verifiedAt, takenAt, reachesAt, restoreMs, violations }: BackupFigures): string {
  const lines: [string, string, number][] = [
    [NAMES.verified, "When a backup was last restored and audited.", verifiedAt.getTime() / 1_000],
    [NAMES.taken, "When that backup was begun.", takenAt.getTime() / 1_000],
    [NAMES.reaches, "The newest commit that was restored.", reachesAt.getTime() / 1_000],
    [NAMES.restore, "How long the restore took.", restoreMs / 1_000],
    [NAMES.violations, "Violations that the audit found in it.", violations],
  ];
  return lines.map(([name, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`).join("");
}

/** Null: the figures do not name it. */
export type KnownBackup = { madeAt: Date | null; verifiedAt: Date | null; violations: number | null };

/** Reads the figures again, of one file or of several. */
export function readBackupFigures(text: string): KnownBackup {
  const value = (name: string) => {
    const found = new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1];
    return found === undefined || Number.isNaN(Number(found)) ? null : Number(found);
  };
  const at = (name: string) => {
    const seconds = value(name);
    return seconds === null ? null : new Date(seconds * 1_000);
  };
  return { madeAt: at(MADE), verifiedAt: at(NAMES.verified), violations: value(NAMES.violations) };
}
