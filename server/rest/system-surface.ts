import { createHash, timingSafeEqual } from "node:crypto";
import type { Uses } from "#server/context.ts";
import { type Check, judgeReadiness, tellReplication, type Vitals } from "#server/domain/vitals.ts";
import { METRICS_CONTENT_TYPE, renderMetrics } from "#server/observe/exposition.ts";
import { observeRuntime } from "#server/observe/metrics.ts";
import { chainHeadsIn, parseSnapshot } from "#server/observe/snapshot.ts";
import { readVitals } from "#server/services/upkeep/read-vitals.ts";

/** Who may see the figures: in the sandbox everybody, in live mode whoever carries the token; without a token nobody. */
export type FiguresAccess = { mode: "sandbox" | "live"; metricsToken: string | null };

/** Every answer here comes within two seconds, whatever the database does. */
const PATIENCE_MS = 1_500;

/** `GET /health`: the process is alive and answers. Says nothing of what it depends on. */
export function answerHealth(): Response {
  return json(200, { status: "alive" });
}

/** Of a process that is about to end: whoever asks where to send requests sends them elsewhere, and those under way are answered. */
export function answerDraining(): Response {
  return json(503, { ready: false, status: "draining", checks: { draining: { ok: false } } }, { "retry-after": "5" });
}

/** `GET /ready`: 200 when every part of the service does its work, else 503; part by part what is so. */
export async function answerReady(ctx: Uses<"db" | "chains" | "clock">, access: FiguresAccess, headers: Headers): Promise<Response> {
  const began = performance.now();
  const vitals = await vitalsInTime(ctx);
  const took = Math.round(performance.now() - began);
  const checks: Check[] = [{ name: "database", ok: vitals !== null, detail: vitals ? `answered in ${took} ms` : "does not answer" }];
  if (vitals !== null) {
    const snapshots = vitals.processes.map((process) => parseSnapshot(process.metrics));
    const chains = ctx.chains.list().map((chain) => chain.chain);
    if (access.mode === "live") checks.push(tellReplication(vitals.replication));
    checks.push(...judgeReadiness(vitals, chainHeadsIn(snapshots, ctx.clock.now()), chains));
  }
  const ready = checks.every((check) => check.ok);
  const inside = mayLookInside(access, headers);
  const told = checks.map(({ name, ok, detail }) => [name, inside ? { ok, detail } : { ok }]);
  return json(ready ? 200 : 503, { ready, checks: Object.fromEntries(told) }, ready ? {} : { "retry-after": "5" });
}

/** `GET /metrics`: all figures for Prometheus. In live mode only with `Authorization: Bearer <METRICS_TOKEN>`. */
export async function answerMetrics(ctx: Uses<"db">, access: FiguresAccess, headers: Headers): Promise<Response> {
  if (!mayLookInside(access, headers)) return json(401, { error: "a bearer token is needed" }, { "www-authenticate": "Bearer" });
  observeRuntime("web");
  const text = await renderMetrics(await vitalsInTime(ctx));
  return new Response(text, { status: 200, headers: { "content-type": METRICS_CONTENT_TYPE, "cache-control": "no-store" } });
}

function mayLookInside(access: FiguresAccess, headers: Headers): boolean {
  if (access.mode === "sandbox") return true;
  if (access.metricsToken === null) return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(headers.get("authorization") ?? ""), digest(`Bearer ${access.metricsToken}`));
}

/** All who ask while one reading is under way share it: however often they ask, a slow database gets no more than one. */
const underWay = new WeakMap<object, Promise<Vitals | null>>();

async function vitalsInTime(ctx: Uses<"db">): Promise<Vitals | null> {
  let reading = underWay.get(ctx.db);
  if (reading === undefined) {
    reading = readVitals(ctx)
      .catch(() => null)
      .finally(() => underWay.delete(ctx.db));
    underWay.set(ctx.db, reading);
  }
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null);
  });
  return await Promise.race([reading, patience]).finally(() => clearTimeout(timer));
}

function json(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}
