import type { Log } from "#server/ports.ts";

export type PageRequest = { requestId: string; method: string; path: string; status: number; arrivedAt: number };

/** One line for a request outside of the surfaces: a page, the docs, the probes. Never the query, which may contain secrets. */
export function recordRequest(log: Log, { requestId, method, path, status, arrivedAt }: PageRequest): void {
  if (path.startsWith("/_next/")) return;
  const milliseconds = Math.round((performance.now() - arrivedAt) * 100) / 100;
  log.info({ request_id: requestId, surface: "pages", method, path: path.slice(0, 256), status, duration_ms: milliseconds }, "request");
}
