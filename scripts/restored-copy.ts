import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/** A backup, restored into its own folder and running there. Only this process can reach it. */
export type RestoredCopy = {
  /** Its database, as a superuser. */
  url: string;
  /** When the backup was begun. */
  takenAt: Date;
  /** Of the newest commit in it. */
  reachesAt: Date;
  /** From the beginning of the restore until the database answered. */
  tookMs: number;
  /** Ends it and removes the folder. */
  remove(): Promise<void>;
};

export type RestoreOrder = {
  /** A folder with room for the whole database. */
  below: string;
  /** A command of the shell that restores into the folder `$DATA`. */
  command: string;
  /** The folder with PostgreSQL's programs. */
  programs: string;
  database: string;
  /** Whom PostgreSQL runs as; null: as this process. */
  identity: { uid: number; gid: number } | null;
  withinMs: number;
};

/** It archives nothing, waits for no standby, listens on this machine alone, and loads nothing that the copy does not need. */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  archive_mode: "off",
  hot_standby: "off",
  synchronous_standby_names: "",
  primary_conninfo: "",
  shared_preload_libraries: "",
  ssl: "off",
  logging_collector: "off",
  autovacuum: "off",
  fsync: "off",
  jit: "off",
  max_connections: "20",
  recovery_target_action: "promote",
};
const LOOK_EVERY_MS = 100;

/** @throws Error if the restore or the server fails. Nothing is left of it then. */
export async function restoreCopy(order: RestoreOrder): Promise<RestoredCopy> {
  const began = performance.now();
  const folder = mkdtempSync(join(order.below, "settlement-verify-"));
  const [data, socket] = [join(folder, "data"), join(folder, "socket")];
  const own = (path: string) => order.identity !== null && chownSync(path, order.identity.uid, order.identity.gid);
  let server: ChildProcess | null = null;
  const remove = async () => {
    if (server !== null) await end(server);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    own(folder);
    for (const made of [data, socket]) {
      mkdirSync(made, { mode: 0o700 });
      own(made);
    }
    await run(["sh", "-c", order.command], folder, order, { DATA: data });
    const takenAt = checkpointOf(
      await run([join(order.programs, "pg_controldata"), "-D", data], folder, order, { LC_ALL: "C", TZ: "UTC" }),
    );
    const port = await freePort();
    server = start(order, { folder, data, socket, port });
    const password = randomBytes(24).toString("hex");
    const reachesAt = await whenReady(server, { ...order, folder, socket, port, password });
    const url = `postgres://settlement_verify:${password}@127.0.0.1:${port}/${encodeURIComponent(order.database)}`;
    return { url, takenAt, reachesAt: reachesAt ?? takenAt, tookMs: performance.now() - began, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

type Place = { folder: string; data: string; socket: string; port: number };

function start({ programs, identity }: RestoreOrder, { folder, data, socket, port }: Place): ChildProcess {
  const files = {
    hba_file: join(folder, "hba.conf"),
    ident_file: join(folder, "ident.conf"),
    config_file: join(folder, "postgresql.conf"),
  };
  // Only this user enters the socket's folder.
  writeFileSync(files.hba_file, "local all all trust\nhost all settlement_verify 127.0.0.1/32 scram-sha-256\n", { mode: 0o644 });
  for (const file of [files.ident_file, files.config_file]) writeFileSync(file, "", { mode: 0o644 });
  const settings = { ...SETTINGS, ...files, data_directory: data, unix_socket_directories: socket, port: String(port) };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = openSync(join(folder, "log"), "a", 0o600);
  const server = spawn(join(programs, "postgres"), args, { cwd: folder, stdio: ["ignore", log, log], ...identity });
  server.once("error", () => {});
  closeSync(log);
  return server;
}

type Reached = Omit<Place, "data"> & RestoreOrder & { password: string };

/** Waits until the copy has read the whole archive, and makes the log-in. Answers the moment of the newest commit that it read there. */
async function whenReady(server: ChildProcess, order: Reached): Promise<Date | null> {
  const { folder, socket, port, password, withinMs } = order;
  const psql = [join(order.programs, "psql"), "-XAtq", "-h", socket, "-p", String(port), "-U", "postgres", "-d", "postgres", "-c"];
  for (const until = performance.now() + withinMs; ; await sleep(LOOK_EVERY_MS)) {
    if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined)
      throw new Error(`The restored database does not start: ${lastLinesOf(join(folder, "log"))}`);
    if (performance.now() > until)
      throw new Error(`The restored database was not ready within ${withinMs / 60_000} minutes: ${lastLinesOf(join(folder, "log"))}`);
    try {
      const reached = await run([...psql, "select extract(epoch from pg_last_xact_replay_timestamp())"], folder, order);
      await run([...psql, `create role settlement_verify superuser login password '${password}'`], folder, order);
      return reached.trim() === "" ? null : new Date(Number(reached) * 1_000);
    } catch (error) {
      if (!STARTING.test(String(error))) throw error;
    }
  }
}

/** Nothing listens yet, or the archive is still being read. */
const STARTING = /No such file or directory|Connection refused|the database system is/;

function checkpointOf(controlData: string): Date {
  const at = new Date(`${/^Time of latest checkpoint: +(.+)$/m.exec(controlData)?.[1]} UTC`);
  if (Number.isNaN(at.getTime())) throw new Error("pg_controldata does not say when the backup was begun.");
  return at;
}

async function run(
  [command = "", ...args]: readonly string[],
  cwd: string,
  { identity }: RestoreOrder,
  env: Record<string, string> = {},
): Promise<string> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"], ...identity });
  const failed = once(child, "error").then(([error]) => Promise.reject(error));
  const [said, complained] = await Promise.race([Promise.all([text(child.stdout), text(child.stderr)]), failed]);
  if (child.exitCode === null) await once(child, "exit");
  if (child.exitCode === 0) return said;
  throw new Error(`${command === "sh" ? args[1] : command} failed: ${lastLines(`${said}\n${complained}`)}`);
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined) return;
  const ended = once(server, "exit");
  server.kill("SIGINT");
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

const lastLines = (output: string) => output.trim().split("\n").slice(-3).join(" ");
const lastLinesOf = (file: string) => lastLines(readFileSync(file, "utf8"));
