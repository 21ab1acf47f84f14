import { createHash, timingSafeEqual } from "node:crypto";
import type { Replica } from "#db/replica.ts";
import { describeReplication } from "#domain/vitals.ts";
import type { Uses } from "#server/context.ts";
import { METRICS_CONTENT_TYPE, renderMetrics } from "#server/observe/exposition.ts";
import { observeRuntime } from "#server/observe/metrics.ts";
import { readChecks, vitalsInTime } from "./checks.ts";

/** Who may see the figures: in the sandbox everybody, in live mode anyone who carries the token; without a token nobody. */
export type FiguresAccess = { mode: "sandbox" | "live"; metricsToken: string | null };

/** `GET /health`: the process is alive and answers. Says nothing of what it depends on. */
export function answerHealth(): Response {
  return json(200, { status: "alive" });
}

/** The process is about to end: balancers send requests elsewhere, and those in progress are answered. */
export function answerDraining(): Response {
  return json(503, { ready: false, status: "draining", checks: { draining: { ok: false } } }, { "retry-after": "5" });
}

/** `GET /ready`: 200 when every part of the service does its work, else 503; part by part what is so. */
export async function answerReady(
  ctx: Uses<"db" | "chains" | "clock" | "screener">,
  access: FiguresAccess,
  headers: Headers,
  replica: Pick<Replica, "state"> | null = null,
): Promise<Response> {
  const { checks, vitals } = await readChecks(ctx);
  if (access.mode === "live" && vitals !== null) checks.push(describeReplication(vitals.replication));
  // Only reported: what it cannot answer, the primary does.
  if (replica !== null) checks.push({ name: "replica", ok: true, detail: replica.state().detail });
  const ready = checks.every((check) => check.ok);
  const inside = mayLookInside(access, headers);
  const results = checks.map(({ name, ok, detail }) => [name, inside ? { ok, detail } : { ok }]);
  return json(ready ? 200 : 503, { ready, checks: Object.fromEntries(results) }, ready ? {} : { "retry-after": "5" });
}

/** `GET /metrics`: all figures for Prometheus. In live mode only with `Authorization: Bearer <METRICS_TOKEN>`. */
export async function answerMetrics(
  ctx: Uses<"db" | "screener">,
  access: FiguresAccess,
  headers: Headers,
  replica: Pick<Replica, "state"> | null = null,
): Promise<Response> {
  if (!mayLookInside(access, headers)) return json(401, { error: "a bearer token is needed" }, { "www-authenticate": "Bearer" });
  observeRuntime("web");
  const text = await renderMetrics(await vitalsInTime(ctx), replica?.state() ?? null, ctx.screener.state().troubles);
  return new Response(text, { status: 200, headers: { "content-type": METRICS_CONTENT_TYPE, "cache-control": "no-store" } });
}

function mayLookInside(access: FiguresAccess, headers: Headers): boolean {
  if (access.mode === "sandbox") return true;
  if (access.metricsToken === null) return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(headers.get("authorization") ?? ""), digest(`Bearer ${access.metricsToken}`));
}

function json(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}
