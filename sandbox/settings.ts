import { SANDBOX_FAMILIES } from "#server/config/sandbox-chains.ts";
import { VARIABLES } from "#server/config/variables.ts";
import { Trouble } from "#server/process/trouble.ts";

const LONGEST_HISTORY_DAYS = 30;

const Settings = VARIABLES.pick({
  PORT: true,
  HOST: true,
  WEB_PROCESSES: true,
  WORKER_PROCESSES: true,
  DATA_DIR: true,
  DATABASE_URL: true,
  CHAIN_RPC_URL: true,
  BASE_URL: true,
  SANDBOX_CHAINS: true,
  SANDBOX_HISTORY: true,
  SCREENING_LIST: true,
});

export type Family = (typeof SANDBOX_FAMILIES)[number];

export type SandboxSettings = {
  port: number;
  /** Default: loopback, because the sandbox prints its log-ins and keys. */
  host: string;
  processes: { web: number; worker: number };
  dataDir: string;
  /** null: the embedded one. */
  databaseUrl: string | null;
  /** null: the local one. */
  chainRpcUrl: string | null;
  baseUrl: string | null;
  /** null: the sandbox's own, with one wallet on it. */
  screeningList: string | null;
  /** Which local networks it has besides EVM's. */
  families: readonly Family[];
  /** How many days of history the first start makes. */
  historyDays: number;
};

/** What the person who starts a sandbox may choose. An empty variable counts as not set. */
export function readSettings(env: NodeJS.ProcessEnv): SandboxSettings {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ""));
  if (set.MODE !== undefined && set.MODE !== "sandbox") throw new Trouble("MODE must be sandbox or live.");
  const read = Settings.safeParse(set);
  if (!read.success) throw new Trouble(read.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}.`).join("\n"));
  return {
    port: read.data.PORT,
    host: read.data.HOST,
    processes: { web: read.data.WEB_PROCESSES, worker: read.data.WORKER_PROCESSES },
    dataDir: read.data.DATA_DIR,
    databaseUrl: read.data.DATABASE_URL ?? null,
    chainRpcUrl: read.data.CHAIN_RPC_URL ?? null,
    baseUrl: read.data.BASE_URL ?? null,
    screeningList: read.data.SCREENING_LIST ?? null,
    families: read.data.SANDBOX_CHAINS ?? SANDBOX_FAMILIES,
    historyDays: read.data.SANDBOX_HISTORY ?? LONGEST_HISTORY_DAYS,
  };
}
