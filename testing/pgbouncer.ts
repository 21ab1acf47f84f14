import { chmodSync, chownSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { findFreePort } from "#sandbox/free-port.ts";
import { startGuarded } from "#sandbox/guarded-process.ts";
import { postgresIdentity } from "#sandbox/postgres/identity.ts";
import { opsFile, withValues } from "./ops-file.ts";

export type Pooler = {
  /** The same database, through the pooler. */
  url: string;
  /** The same for the other log-ins. */
  others: string[];
  stop(): Promise<void>;
};

/** A PgBouncer of the machine before the database of that URL, in transaction mode, with few sessions for many clients. `others`: further log-ins. */
export async function startPgbouncer(
  databaseUrl: string,
  { sessions = 2, others = [] }: { sessions?: number; others?: readonly string[] } = {},
): Promise<Pooler> {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  const command = folders.map((folder) => join(folder, "pgbouncer")).find((file) => existsSync(file));
  if (command === undefined) throw new Error("PgBouncer is not installed: `npm test` sees to it, or `apt-get install pgbouncer`.");
  const { hostname, port: databasePort } = new URL(databaseUrl);
  const port = await findFreePort();
  const identity = postgresIdentity();
  const folder = mkdtempSync(join(identity === null ? tmpdir() : "/tmp", "settlement-pgbouncer-"));
  const settings = join(folder, "pgbouncer.ini");
  // As the runbook says: nothing of what the service says at the start of a connection is ignored.
  const stats_users = decodeURIComponent(new URL(databaseUrl).username);
  const ours = { listen_port: port, auth_file: `${folder}/users`, default_pool_size: sessions, stats_users };
  const ini = withValues(opsFile("pgbouncer.ini"), ours).replace(/^settlement = .*$/m, `* = host=${hostname} port=${databasePort}`);
  writeFileSync(settings, ini);
  const users = [databaseUrl, ...others].map((one) => new URL(one));
  writeFileSync(join(folder, "users"), users.map((one) => `"${one.username}" "${decodeURIComponent(one.password)}"\n`).join(""));
  for (const path of [folder, settings, join(folder, "users")]) {
    if (identity !== null) chownSync(path, identity.uid, identity.gid);
    chmodSync(path, 0o700);
  }
  const logFile = join(folder, "log");
  const log = openSync(logFile, "a");
  const program = startGuarded({ command, args: [settings], endSignal: "INT", log, identity });
  closeSync(log);
  const stop = async () => {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const [url = "", ...further] = users.map((one) => `postgres://${one.username}:${one.password}@127.0.0.1:${port}${one.pathname}`);
  const deadline = Date.now() + 30_000;
  while (!(await answers(url))) {
    if (program.ended() !== null || Date.now() > deadline) {
      const said = readFileSync(logFile, "utf8");
      await stop();
      throw new Error(`PgBouncer did not start: ${said}`);
    }
    await sleep(100);
  }
  return { url, others: further, stop };
}

async function answers(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {}, prepare: false });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
