import { appendFileSync, chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import postgres from "postgres";
import { findFreePort } from "#sandbox/free-port.ts";
import { type Identity, postgresIdentity } from "#sandbox/postgres/identity.ts";
import { serverUrl, startServer, withConnection } from "#sandbox/postgres/server.ts";
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

/** A base backup of a server. */
type Copy = { folder: string; data: string; port: number; password: string; binaries: string; identity: Identity | null };

/** Makes a base backup of the running server, like `pg_basebackup`. */
export async function copyServer(primary: TemporaryPostgres): Promise<Copy> {
  const at = new URL(primary.superuserUrl);
  const pid = primary.postmaster();
  const identity = postgresIdentity();
  const folder = mkdtempSync(join(tmpdir(), "settlement-replica-"));
  const data = join(folder, "data");
  const label = await withConnection(primary.superuserUrl, async (owner) => {
    await owner`select pg_backup_start('a test', true)`;
    cpSync(readlinkSync(`/proc/${pid}/cwd`), data, { recursive: true, verbatimSymlinks: true });
    const [row] = await owner<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`;
    return row?.labelfile ?? "";
  });
  for (const gone of ["postmaster.pid", "postmaster.opts"]) rmSync(join(data, gone), { force: true });
  writeFileSync(join(data, "backup_label"), label);
  chmodSync(data, 0o700);
  const binaries = dirname(dirname(readlinkSync(`/proc/${pid}/exe`)));
  return { folder, data, port: Number(at.port), password: decodeURIComponent(at.password), binaries, identity };
}

/** Starts a copy in the place of its server, which has stopped, with the server's log up to that restore point. Returns what stops it. */
export async function restoreServer(
  { folder, data, ...copy }: Copy,
  { log, point, settings }: { log: string; point: string; settings: Readonly<Record<string, string>> },
): Promise<() => Promise<void>> {
  writeFileSync(join(data, "recovery.signal"), "");
  if (copy.identity !== null) own(folder, copy.identity);
  const recovery = {
    restore_command: `cp '${log}/%f' '%p'`,
    recovery_target_name: point,
    recovery_target_action: "promote",
  };
  const server = await startServer({ ...copy, data, logFile: join(folder, "log"), durable: false, settings: { ...settings, ...recovery } });
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}

/** Starts a copy of the running server as its standby. `settings`: the server's besides the usual ones. */
export async function startReplica(primary: TemporaryPostgres, settings: Readonly<Record<string, string>> = {}): Promise<TestReplica> {
  const { folder, data, password, identity, binaries, port: from } = await copyServer(primary);
  writeFileSync(join(data, "standby.signal"), "");
  const upstream = `host=127.0.0.1 port=${from} user=postgres password=${password}`;
  appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${upstream}'\n`);
  if (identity !== null) own(folder, identity);
  const port = await findFreePort();
  const server = await startServer({ binaries, data, logFile: join(folder, "log"), port, password, identity, durable: false, settings });
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
