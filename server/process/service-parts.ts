import { fileURLToPath } from "node:url";
import { webEnvironment, workerEnvironment } from "./environment.ts";
import type { Identity } from "./identity.ts";
import { nodePart } from "./node-part.ts";
import type { Part } from "./supervisor.ts";

export type ServiceOptions = {
  /** Everything that is told. Each process is given what is its own of it. */
  env: NodeJS.ProcessEnv;
  /** Whom the processes run as; left out, or null: us. */
  users?: { web: Identity | null; worker: Identity | null };
  port: number;
  host: string | null;
  /** Named files take what the processes print; null: they print where we print. */
  logs: { web: string; worker: string } | null;
  readyTimeoutMs: number;
  /** How long the web process goes on answering when it is told to end; left out: not at all. */
  drainSeconds?: number;
};

const WEB = fileURLToPath(new URL("../http/main.ts", import.meta.url));
const WORKER = fileURLToPath(new URL("../worker/main.ts", import.meta.url));

/** The process that answers requests: ready once it says at `/health` that it is alive. */
export function webPart(options: ServiceOptions): Part {
  const everywhere = options.host === null || options.host === "0.0.0.0" || options.host === "::";
  const host = everywhere ? "127.0.0.1" : options.host?.includes(":") ? `[${options.host}]` : options.host;
  return nodePart({
    name: "The web process",
    script: WEB,
    env: webEnvironment(options.env),
    identity: options.users?.web ?? null,
    ...(options.logs ? { logFile: options.logs.web } : {}),
    ready: { url: `http://${host}:${options.port}/health` },
    readyTimeoutMs: options.readyTimeoutMs,
    graceMs: 20_000 + (options.drainSeconds ?? 0) * 1_000,
  });
}

/** The process that does due work: ready once it says so over its channel. */
export function workerPart(options: ServiceOptions): Part {
  return nodePart({
    name: "The worker process",
    script: WORKER,
    env: workerEnvironment(options.env),
    identity: options.users?.worker ?? null,
    ...(options.logs ? { logFile: options.logs.worker } : {}),
    ready: "message",
    readyTimeoutMs: options.readyTimeoutMs,
    graceMs: 20_000,
  });
}
