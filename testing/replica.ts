import { appendFileSync, chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import postgres from "postgres";
import { findFreePort } from "#sandbox/free-port.ts";
import { postgresIdentity } from "#sandbox/postgres/identity.ts";
import { serverUrl, startServer } from "#sandbox/postgres/server.ts";
import type { TemporaryPostgres } from "#sandbox/postgres/temporary.ts";

/** A real standby of a test's server, by streaming replication. */
export type TestReplica = {
  /** The same database and log-in as that URL's, there. */
  urlOf(primaryUrl: string): string;
  /** It continues to receive, and replays nothing new. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** It becomes an independent database. */
  promote(): Promise<void>;
  stop(): Promise<void>;
};

/** Makes a base backup of the running server, like `pg_basebackup`, and starts it as a standby. */
export async function startReplica(primary: TemporaryPostgres): Promise<TestReplica> {
  const at = new URL(primary.superuserUrl);
  const password = decodeURIComponent(at.password);
  const pid = primary.postmaster();
  const identity = postgresIdentity();
  const folder = mkdtempSync(join(tmpdir(), "settlement-replica-"));
  const data = join(folder, "data");
  const owner = postgres(primary.superuserUrl, { max: 1, onnotice: () => {} });
  await owner`select pg_backup_start('a test', true)`;
  cpSync(readlinkSync(`/proc/${pid}/cwd`), data, { recursive: true, verbatimSymlinks: true });
  const [label] = await owner<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`;
  await owner.end();
  for (const gone of ["postmaster.pid", "postmaster.opts"]) rmSync(join(data, gone), { force: true });
  writeFileSync(join(data, "backup_label"), label?.labelfile ?? "");
  writeFileSync(join(data, "standby.signal"), "");
  const upstream = `host=127.0.0.1 port=${at.port} user=postgres password=${password}`;
  appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${upstream}'\n`);
  chmodSync(data, 0o700);
  if (identity !== null) own(folder, identity);
  const port = await findFreePort();
  const binaries = dirname(dirname(readlinkSync(`/proc/${pid}/exe`)));
  const server = await startServer({ binaries, data, logFile: join(folder, "log"), port, password, identity, durable: false });
  const superuser = postgres(serverUrl({ port, password }, "postgres"), { max: 1, onnotice: () => {} });
  return {
    urlOf: (primaryUrl) => {
      const url = new URL(primaryUrl);
      url.port = String(port);
      return url.href;
    },
    pause: async () => void (await superuser`select pg_wal_replay_pause()`),
    resume: async () => void (await superuser`select pg_wal_replay_resume()`),
    promote: async () => void (await superuser`select pg_promote()`),
    stop: async () => {
      await superuser.end({ timeout: 1 });
      await server.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function own(path: string, { uid, gid }: { uid: number; gid: number }): void {
  chownSync(path, uid, gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) own(inside, { uid, gid });
    else chownSync(inside, uid, gid);
  }
}
