import { closeSync, existsSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { signalled, timeUntil } from "#fault/world.ts";
import { type GuardedProcess, startGuarded } from "#sandbox/guarded-process.ts";
import { commandLine } from "#sandbox/left-behind.ts";
import type { Identity } from "#sandbox/postgres/identity.ts";
import { machinePostgres } from "#testing/machine-postgres.ts";
import { pathOf } from "./programs.ts";

/** A machine of the database: Patroni, and the PostgreSQL that it runs. */
export type PatroniNode = {
  name: string;
  ports: { server: number; api: number };
  start(): void;
  /** Whether it says that it leads; a frozen one says nothing. */
  leads(): Promise<boolean>;
  /** … that it follows, and has every commit. */
  follows(): Promise<boolean>;
  /** Kills only PostgreSQL. */
  killPostgres(): Promise<void>;
  /** Kills everything on it, like a power cut. */
  kill(): Promise<void>;
  /** Freezes everything on it, and resumes. */
  freeze(): Promise<void>;
  thaw(): void;
  /** The last that it has printed. */
  said(): string;
  stop(): Promise<void>;
};

type Place = {
  name: string;
  /** As in `ops/database/patroni.yml`. */
  file: string;
  folder: string;
  etcd: string;
  password: string;
  identity: Identity | null;
  ports: { server: number; api: number };
};

const ASKED_WITHIN_MS = 1_000;
const STOPPED_WITHIN_MS = 60_000;

export function openNode({ name, file, folder, etcd, password, identity, ports }: Place): PatroniNode {
  const [data, pidFile, logFile] = [join(folder, "data"), join(folder, "pid"), join(folder, "log")];
  const [server, api] = [`127.0.0.1:${ports.server}`, `127.0.0.1:${ports.api}`];
  const env = {
    ...process.env,
    LC_ALL: "C.UTF-8",
    PATRONI_NAME: name,
    PATRONI_ETCD_HOSTS: etcd,
    PATRONI_RESTAPI_LISTEN: api,
    PATRONI_RESTAPI_CONNECT_ADDRESS: api,
    PATRONI_POSTGRESQL_LISTEN: server,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: server,
    PATRONI_POSTGRESQL_DATA_DIR: data,
    PATRONI_POSTGRESQL_BIN_DIR: join(machinePostgres(), "bin"),
    PATRONI_POSTGRESQL_PGPASS: join(folder, "pgpass"),
    PATRONI_SUPERUSER_PASSWORD: password,
    PATRONI_REPLICATION_PASSWORD: password,
    PATRONI_REWIND_PASSWORD: password,
  };
  const command = pathOf({ name: "patroni", from: "patroni" });
  let patroni: GuardedProcess | null = null;
  let frozen: number[] = [];

  const t = async (path: string) =>
    await fetch(`http://${api}/${path}`, { signal: AbortSignal.timeout(ASKED_WITHIN_MS) }).then(
      ({ status }) => status === 200,
      () => false,
    );
  const thaw = () => {
    for (const pid of frozen) signalled(pid, "SIGCONT");
    frozen = [];
  };
  const node: PatroniNode = {
    name,
    ports,
    thaw,
    start() {
      const log = openSync(logFile, "a");
      patroni = startGuarded({ command, args: [file], endSignal: "TERM", log, env, identity, pidFile });
      closeSync(log);
    },
    leads: () => t("primary"),
    follows: () => t("synchronous"),
    async killPostgres() {
      signalled(await postmasterOf(data), "SIGKILL");
    },
    async kill() {
      const main = await postmasterOf(data);
      for (const pid of [await patroniOf(pidFile, file), main, ...childrenOf(main)]) signalled(pid, "SIGKILL");
      await patroni?.exited;
    },
    async freeze() {
      const main = await postmasterOf(data);
      frozen = [await patroniOf(pidFile, file), main, ...childrenOf(main)];
      for (const pid of frozen) signalled(pid, "SIGSTOP");
    },
    said: () => (existsSync(logFile) ? readFileSync(logFile, "utf8").slice(-3_000) : ""),
    async stop() {
      thaw();
      await patroni?.stop(STOPPED_WITHIN_MS);
      // Patroni stops its PostgreSQL; an orphaned one must be stopped here.
      const left = await postmasterOf(data).catch(() => null);
      if (left !== null) signalled(left, "SIGQUIT");
      await timeUntil(async () => (await postmasterOf(data).catch(() => null)) === null, STOPPED_WITHIN_MS);
    },
  };
  return node;
}

/** The process that PostgreSQL's own file names, if it is one of that folder. */
async function postmasterOf(data: string): Promise<number> {
  const file = join(data, "postmaster.pid");
  const pid = existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0;
  if (!(pid > 0) || !(await commandLine(pid)).includes(data)) throw new Error(`no PostgreSQL runs in ${data}`);
  return pid;
}

async function patroniOf(pidFile: string, file: string): Promise<number> {
  const pid = Number(readFileSync(pidFile, "utf8"));
  if (!(await commandLine(pid)).includes(file)) throw new Error(`${pid} is no Patroni of ours`);
  return pid;
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | null {
  try {
    return Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? Number.NaN);
  } catch {
    return null; // it has ended meanwhile
  }
}
