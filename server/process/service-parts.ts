import { fileURLToPath } from "node:url";
import { webEnvironment, workerEnvironment } from "./environment.ts";
import type { Identity } from "./identity.ts";
import { nodePart } from "./node-part.ts";
import type { Part } from "./supervisor.ts";
import { Trouble } from "./trouble.ts";

export type ServiceOptions = {
  /** The whole environment. Each process gets its own part of it. */
  env: NodeJS.ProcessEnv;
  /** Whom the processes run as; left out, or null: us. */
  users?: { web: Identity | null; worker: Identity | null };
  /** Named files take what the processes print; null: they print where we print. */
  logs: { web: string; worker: string } | null;
  readyTimeoutMs: number;
  /** How long the web process continues to answer after it was asked to stop; default: not at all. */
  drainSeconds?: number;
};

const SCRIPTS = {
  web: fileURLToPath(new URL("../http/main.ts", import.meta.url)),
  worker: fileURLToPath(new URL("../worker/main.ts", import.meta.url)),
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

type Own = { count: number; env: NodeJS.ProcessEnv; graceMs: number };

function partsOf(kind: "web" | "worker", { users, logs, readyTimeoutMs }: ServiceOptions, { count, ...own }: Own): Part[] {
  return Array.from({ length: count }, (_, index) =>
    nodePart({
      ...own,
      name: `The ${kind} process${count === 1 ? "" : ` ${index + 1} of ${count}`}`,
      script: SCRIPTS[kind],
      identity: users?.[kind] ?? null,
      ...(logs ? { logFile: logs[kind] } : {}),
      readyTimeoutMs,
    }),
  );
}
