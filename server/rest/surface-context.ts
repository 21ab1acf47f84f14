import type { Context } from "#server/context.ts";
import { createKnownKeys, type KnownKeys } from "#server/services/access/known-keys.ts";
import { type ApiLog, NO_API_LOG, openApiLog } from "#server/services/access/log-api-requests.ts";
import { type ConcurrencyLimiter, createConcurrencyLimiter } from "./concurrency-limiter.ts";
import { createRateLimiter, type RateLimiter, type RateLimits } from "./rate-limiter.ts";

export type SurfaceSettings = {
  /** Without a trailing slash; used in `type` of problem documents. */
  baseUrl: string;
  /** The word in place of `Service` in the names of the signing headers. */
  brand: string;
  mode: "sandbox" | "live";
  /** Whether each answer is parsed again and validated against its schema. */
  checksAnswers: boolean;
  rateLimits: RateLimits;
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  /** The connections of the process's pool. */
  webDatabaseConnections: number;
};

/** A caller knows within 2 s (contract, part 5), the way back included. */
export const DATABASE_LIMIT_MS = 1_700;

/** Work that waited for a connection ends by so much earlier, for the way back: under overload the process is busy, too. */
const WAY_BACK_MS = 200;
/** Each write keeps a connection. Reads, the lookup of keys and the console use the rest. */
const WRITES_SHARE = 0.9;
/** Reads of one partner share statements, and each of them is short. */
const READS_PER_CONNECTION = 4;

/** What the surfaces of one process share. Made once a process; the bundles of all routes must get the same one. */
export type SurfaceContext = {
  ctx: Context;
  settings: SurfaceSettings;
  /** What a request may spend on the database in all. */
  databaseLimitMs: number;
  limiter: RateLimiter;
  keys: KnownKeys;
  /** How many requests have work under way on the database, whether or not anybody still waits for it. */
  busy: { count: number };
  /** Lets work begin as connections become free. */
  concurrency: Record<"read" | "write", ConcurrencyLimiter>;
  /** Keeps what was answered, for the partner's own eyes. */
  apiLog: ApiLog;
};

/** `databaseLimitMs`: of a request, and so of what waits for a connection. */
export function openSurfaceContext(
  ctx: Context,
  settings: SurfaceSettings,
  apiLog: ApiLog = NO_API_LOG,
  databaseLimitMs = DATABASE_LIMIT_MS,
): SurfaceContext {
  const limiter = (perConnection: number) => {
    const atOnce = Math.max(1, Math.floor(settings.webDatabaseConnections * perConnection));
    return createConcurrencyLimiter({ atOnce, limitMs: databaseLimitMs - WAY_BACK_MS });
  };
  return {
    ctx,
    settings,
    databaseLimitMs,
    limiter: createRateLimiter(),
    keys: createKnownKeys(ctx),
    busy: { count: 0 },
    concurrency: {
      read: limiter(READS_PER_CONNECTION),
      write: limiter(WRITES_SHARE),
    },
    apiLog,
  };
}

/** A surface whose requests are written to the API log. Its creator drains the log at the end. */
export function openLoggingSurfaceContext(ctx: Context, settings: SurfaceSettings): SurfaceContext {
  return openSurfaceContext(ctx, settings, openApiLog(ctx));
}
