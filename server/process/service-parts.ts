import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { signerEnvironment, webEnvironment, workerEnvironment } from "./environment.ts";
import type { Identity } from "./identity.ts";
import { nodePart, SMALL, WEB } from "./node-part.ts";
import type { Part } from "./supervisor.ts";
import { Trouble } from "./trouble.ts";

export type ServiceOptions = {
  /** The whole environment. Each process gets its own part of it. */
  env: NodeJS.ProcessEnv;
  /** Whom the processes run as; left out, or null: us. */
  users?: { web: Identity | null; worker: Identity | null; signer: Identity | null };
  /** Named files take what the processes print; null: they print where we print. */
  logs: { web: string; worker: string; signer: string } | null;
  readyTimeoutMs: number;
  /** How long the web process continues to answer after it was asked to stop; default: not at all. */
  drainSeconds?: number;
};

const SCRIPTS = {
  web: fileURLToPath(new URL("../http/main.ts", import.meta.url)),
  worker: fileURLToPath(new URL("../worker/main.ts", import.meta.url)),
  signer: fileURLToPath(new URL("../signer/main.ts", import.meta.url)),
};
const GRACE_MS = 20_000;

/** The processes that answer requests, each ready once it listens. Several share one port: the system deals the connections out to them. */
export function webParts(options: ServiceOptions, count: number): Part[] {
  if (count > 1 && process.platform !== "linux")
    throw new Trouble("WEB_PROCESSES is above 1, and only Linux lets several processes share a port: start them apart, behind a proxy.");
  const env = { ...webEnvironment(options.env), WEB_PROCESSES: String(count) };
  return partsOf("web", options, { count, env, graceMs: GRACE_MS + (options.drainSeconds ?? 0) * 1_000 });
}

/** The processes that do due work, each ready once it runs its duties. */
export function workerParts(options: ServiceOptions, count: number): Part[] {
  return partsOf("worker", options, { count, env: workerEnvironment(options.env), graceMs: GRACE_MS });
}

/** The process that alone holds keys and journal. It is ready once it listens on the socket of its environment, in under 2 s. */
export function signerPart(options: ServiceOptions): Part {
  const { SIGNER_SOCKET: socket = "" } = options.env;
  const [part] = partsOf("signer", options, { count: 1, env: signerEnvironment(options.env), graceMs: GRACE_MS });
  if (part === undefined) throw new Error("one process was asked for");
  const start: Part["start"] = async (signal) => {
    // Each time: somebody may have cleaned up where temporary files are.
    makeSocketFolder(socket, options.users);
    return await part.start(signal);
  };
  return { ...part, start };
}

/** A place for the signer's socket, short enough for the system and of this start alone. */
export function newSocket(): string {
  return join(mkdtempSync(join(tmpdir(), "settlement-signer-")), "signer.sock");
}

/**
 * Only the signer's user and the worker's group reach the socket. @throws Trouble where the folder is not the socket's alone: its owner could
 * put another socket there, and nobody gives `/run` away.
 */
function makeSocketFolder(socket: string, users: ServiceOptions["users"]): void {
  const folder = dirname(socket);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [signer, worker] = [users?.signer ?? null, users?.worker ?? null];
  const { uid, mode } = lstatSync(folder);
  const isOurs = [process.getuid?.() ?? uid, signer?.uid].includes(uid);
  const isAlone = readdirSync(folder).every((name) => name === basename(socket));
  if (!isOurs || !isAlone || (mode & 0o002) !== 0)
    throw new Trouble(`SIGNER_SOCKET: ${folder} must be a folder of the signer's own, empty but for its socket. Choose another one.`);
  if (signer === null || worker === null) return;
  chownSync(folder, signer.uid, worker.gid);
  // The socket gets the folder's group.
  chmodSync(folder, 0o2750);
}

type Own = { count: number; env: NodeJS.ProcessEnv; graceMs: number };

function partsOf(kind: "web" | "worker" | "signer", { users, logs, readyTimeoutMs }: ServiceOptions, { count, ...own }: Own): Part[] {
  return Array.from({ length: count }, (_, index) =>
    nodePart({
      ...own,
      name: kind === "signer" ? "The signer" : `The ${kind} process${count === 1 ? "" : ` ${index + 1} of ${count}`}`,
      script: SCRIPTS[kind],
      flags: kind === "web" ? WEB : SMALL,
      identity: users?.[kind] ?? null,
      ...(logs ? { logFile: logs[kind] } : {}),
      readyTimeoutMs,
    }),
  );
}
