import { randomBytes } from "node:crypto";
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { timeUntil } from "#fault/world.ts";
import { run } from "#sandbox/guarded-process.ts";
import { postgresIdentity } from "#sandbox/postgres/identity.ts";
import { startTemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { MACHINE_INITDB, machinePostgres } from "#testing/machine-postgres.ts";
import { opsFile, withValues } from "#testing/ops-file.ts";
import { type BenchServer, benchServerOn } from "#testing/stage/database.ts";
import { isPrimary, type Program, pathOf, SERVER } from "./programs.ts";

const PGBACKREST: Program = { name: "pgbackrest", from: "pgbackrest" };
export const NEEDED: readonly Program[] = [SERVER, PGBACKREST];

const RECOVERY_LIMIT_MS = 120_000;

/** How a file begins that pgBackRest has encrypted. */
const SEALED = "Salted__";

/**
 * `kept`: how many files the repository has, and which of them are not encrypted. `restoresWithout`: whether the newest backup can be
 * restored into a separate folder with another passphrase (null: none), and pgBackRest's error otherwise.
 */
export type PgbackrestServer = BenchServer & {
  kept(): { files: number; readable: string[] };
  restoresWithout(other: string | null): Promise<{ restored: boolean; said: string }>;
};

/**
 * The machine's PostgreSQL with archive and backups by pgBackRest, configured by the files of `ops/database`. A database has its full
 * backup before the work begins; `keepBackup` records a moment, to which backup and archive are restored.
 */
export async function startPgbackrestServer(): Promise<PgbackrestServer> {
  const identity = postgresIdentity();
  const kept = { file: "", secrets: "", repository: "" };
  const prepare = (folder: string, port: number) => {
    const place = (name: string) => join(folder, name);
    const made = ["repository", "log", "lock", "spool", "socket", "conf.d"];
    for (const name of made) mkdirSync(place(name), { mode: 0o700 });
    [kept.file, kept.secrets, kept.repository] = [place("pgbackrest.conf"), place("conf.d"), place("repository")];
    // As in the runbook: separate from the file that everyone may read.
    const passphrase = `[global]\nrepo1-cipher-pass=${randomBytes(48).toString("base64")}\n`;
    writeFileSync(place("conf.d/passphrase.conf"), passphrase, { mode: 0o600 });
    const places = {
      "repo1-path": place("repository"),
      "log-path": place("log"),
      "lock-path": place("lock"),
      "spool-path": place("spool"),
    };
    const server = { "pg1-path": place("data"), "pg1-port": port, "pg1-socket-path": place("socket") };
    writeFileSync(kept.file, withValues(opsFile("pgbackrest.conf"), { ...places, ...server }), { mode: 0o600 });
    for (const name of [...made, "pgbackrest.conf", "conf.d/passphrase.conf"])
      if (identity !== null) chownSync(place(name), identity.uid, identity.gid);
    return { ...archiving(`--config=${kept.file} --config-include-path=${kept.secrets}`), unix_socket_directories: place("socket") };
  };
  const backrest = (...args: string[]) =>
    run(pathOf(PGBACKREST), [`--config=${kept.file}`, `--config-include-path=${kept.secrets}`, "--stanza=settlement", ...args], identity);
  const postgres = await startTemporaryPostgres({
    durable: true,
    other: { binaries: machinePostgres(), initdb: MACHINE_INITDB },
    settings: prepare,
  });
  const server = benchServerOn(postgres);
  try {
    await backrest("stanza-create");
    await backrest("check");
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    ...server,
    kept() {
      const files = filesIn(kept.repository);
      return { files: files.length, readable: files.filter((file) => beginningOf(file) !== SEALED) };
    },
    restoresWithout: (other) => restoreElsewhere(kept.file, identity, other),
    withDatabase: (work) =>
      server.withDatabase(async (database) => {
        await backrest("backup", "--type=full");
        return await work(database);
      }),
    async keepBackup({ owner }) {
      const [now] = await owner<{ moment: string }[]>`select clock_timestamp()::text as moment`;
      return async () => {
        await postgres.halt();
        await backrest("restore", "--type=time", `--target=${now?.moment}`, "--target-action=promote");
        await postgres.startAgain();
        if ((await timeUntil(() => isPrimary(postgres.superuserUrl), RECOVERY_LIMIT_MS)) === null)
          throw new Error(`the server in ${dirname(kept.file)} did not come to its moment`);
      };
    },
  };
}

async function restoreElsewhere(file: string, identity: ReturnType<typeof postgresIdentity>, passphrase: string | null) {
  const folder = mkdtempSync(join(dirname(file), "elsewhere-"));
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  if (passphrase !== null) writeFileSync(join(folder, "passphrase.conf"), `[global]\nrepo1-cipher-pass=${passphrase}\n`, { mode: 0o644 });
  if (identity !== null) for (const made of [folder, data]) chownSync(made, identity.uid, identity.gid);
  const files = [`--config=${file}`, `--config-include-path=${folder}`, `--pg1-path=${data}`];
  try {
    const said = await run(pathOf(PGBACKREST), [...files, "--stanza=settlement", "--no-delta", "restore"], identity);
    return { restored: true, said };
  } catch (error) {
    return { restored: readdirSync(data).length > 0, said: String(error) };
  }
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function beginningOf(file: string): string {
  const opened = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(SEALED.length);
    readSync(opened, bytes, 0, bytes.length, 0);
    return bytes.toString("latin1");
  } finally {
    closeSync(opened);
  }
}

/** The settings of `ops/database/archiving.conf`, with the files that pgBackRest reads here. */
function archiving(files: string): Record<string, string> {
  const lines = [...opsFile("archiving.conf").matchAll(/^(\w+) = '(.*)'$/gm)];
  return Object.fromEntries(lines.map(([, name = "", value = ""]) => [name, value.replace(/^pgbackrest /, `pgbackrest ${files} `)]));
}
