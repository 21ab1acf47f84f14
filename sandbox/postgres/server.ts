import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { type GuardedProcess, run, startGuarded } from "#sandbox/guarded-process.ts";
import { endLeftBehind } from "#sandbox/left-behind.ts";
import { Trouble } from "#server/process/trouble.ts";
import type { Identity } from "./identity.ts";

export type ServerOptions = {
  /** The folder with `bin`, `lib` and `share`. */
  binaries: string;
  /** The cluster's folder; its parent exists and the identity can enter it. */
  data: string;
  /** Takes the server's log. */
  logFile: string;
  port: number;
  /** Of the superuser `postgres`. */
  password: string;
  identity: Identity | null;
  /** Without: faster, and lost with the machine. For tests. */
  durable: boolean;
  /** `initdb`'s options for locales and log-ins; default: the newest PostgreSQL's own C.UTF-8, and passwords for all. */
  initdb?: readonly string[];
  /** Settings of the server besides the usual ones. */
  settings?: Readonly<Record<string, string>>;
};

const LOCALE = ["-E", "UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];

/** Makes the cluster on its first use. An interrupted attempt is thrown away, not built upon. */
export async function initCluster(options: ServerOptions): Promise<void> {
  const whole = join(options.data, "initialized");
  if (existsSync(whole)) return;
  rmSync(options.data, { recursive: true, force: true });
  mkdirSync(options.data, { mode: 0o700 });
  own(options.data, options.identity);
  const passwordFile = join(options.data, "..", `.password-${process.pid}`);
  writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 });
  own(passwordFile, options.identity);
  const access = ["-A", "scram-sha-256", "-U", "postgres", `--pwfile=${passwordFile}`];
  try {
    const sync = options.durable ? [] : ["--no-sync"];
    await run(
      join(options.binaries, "bin", "initdb"),
      ["-D", options.data, ...access, ...(options.initdb ?? LOCALE), ...sync],
      options.identity,
    );
    writeFileSync(whole, "");
    own(whole, options.identity);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Starts the server and waits until it answers. One that an earlier run left behind on the same data is ended first. */
export async function startServer(options: ServerOptions): Promise<GuardedProcess> {
  // PostgreSQL's own lock file names the process.
  await endLeftBehind(join(options.data, "postmaster.pid"), options.data, "SIGINT");
  const log = openSync(options.logFile, "a", 0o600);
  try {
    for (let tries = 1; ; tries++) {
      const server = await launch(options, log);
      if (server.ended() === null) return server;
      // After a SIGKILL the old backends keep the shared memory for a moment.
      if (tries === 5)
        throw new Trouble(`PostgreSQL did not start (${server.ended()}); see ${options.logFile}: ${lastLines(options.logFile)}`);
      await sleep(400);
    }
  } finally {
    closeSync(log);
  }
}

/** Returns a server that is ready, or one that has ended. */
async function launch(options: ServerOptions, log: number): Promise<GuardedProcess> {
  const settings = { ...SETTINGS, port: String(options.port), ...(options.durable ? {} : VOLATILE), ...options.settings };
  const args = ["-D", options.data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  const command = join(options.binaries, "bin", "postgres");
  const server = startGuarded({ command, args, endSignal: "INT", log, identity: options.identity });
  const deadline = Date.now() + 60_000; // recovery after a crash may take its time
  while (server.ended() === null && !(await answers(serverUrl(options, "postgres")))) {
    if (Date.now() > deadline) await server.stop();
    await sleep(50);
  }
  return server;
}

function lastLines(file: string): string {
  return readFileSync(file, "utf8").trim().split("\n").slice(-3).join(" ");
}

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "64MB",
  timezone: "UTC",
  log_timezone: "UTC",
};
const VOLATILE = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", autovacuum: "off", max_wal_size: "4GB" };

async function answers(url: string): Promise<boolean> {
  return await withConnection(url, (sql) => sql`select 1`).then(
    () => true,
    () => false,
  );
}

/** Works over one connection, and closes it whatever comes of that. */
export async function withConnection<Result>(url: string, work: (sql: postgres.Sql) => Promise<Result>): Promise<Result> {
  const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export function serverUrl(options: { port: number; password: string }, database: string): string {
  return `postgres://postgres:${options.password}@127.0.0.1:${options.port}/${database}`;
}

function own(path: string, identity: Identity | null): void {
  if (identity !== null) chownSync(path, identity.uid, identity.gid);
}
