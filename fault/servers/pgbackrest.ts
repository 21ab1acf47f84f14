import { chownSync, mkdirSync, writeFileSync } from "node:fs";
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
/**
 * The machine's PostgreSQL with its archive and its backups kept by pgBackRest, by the files of `ops/database`. A database has its full backup before
 * the work begins; what `keepBackup` keeps is a moment, to which backup and archive are brought.
 */
export async function startPgbackrestServer(): Promise<BenchServer> {
  const identity = postgresIdentity();
  const kept = { file: "" };
  const prepare = (folder: string, port: number) => {
    const place = (name: string) => join(folder, name);
    const made = ["repository", "log", "lock", "spool", "socket"];
    for (const name of made) mkdirSync(place(name), { mode: 0o700 });
    kept.file = place("pgbackrest.conf");
    const places = {
      "repo1-path": place("repository"),
      "log-path": place("log"),
      "lock-path": place("lock"),
      "spool-path": place("spool"),
    };
    const server = { "pg1-path": place("data"), "pg1-port": port, "pg1-socket-path": place("socket") };
    writeFileSync(kept.file, withValues(opsFile("pgbackrest.conf"), { ...places, ...server }), { mode: 0o600 });
    for (const name of [...made, "pgbackrest.conf"]) if (identity !== null) chownSync(place(name), identity.uid, identity.gid);
    return { ...archiving(kept.file), unix_socket_directories: place("socket") };
  };
  const backrest = (...args: string[]) => run(pathOf(PGBACKREST), [`--config=${kept.file}`, "--stanza=settlement", ...args], identity);
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

/** The settings of `ops/database/archiving.conf`, with the file that pgBackRest reads here. */
function archiving(file: string): Record<string, string> {
  const lines = [...opsFile("archiving.conf").matchAll(/^(\w+) = '(.*)'$/gm)];
  return Object.fromEntries(
    lines.map(([, name = "", value = ""]) => [name, value.replace(/^pgbackrest /, `pgbackrest --config=${file} `)]),
  );
}
