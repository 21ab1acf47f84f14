import { renderStatus, statusFeed } from "#contract/service-status.ts";
import type { StatusWatch } from "./status-watch.ts";

/** Answers come from memory, and a cache in front may hold them for some seconds. */
const CACHED = { "cache-control": "public, max-age=10" };

/** `GET /status/summary.json`: the state of the service, its 90 days and its incidents. */
export async function answerStatus(watch: Pick<StatusWatch, "report">): Promise<Response> {
  return Response.json(renderStatus(await watch.report()), { headers: CACHED });
}

/** `GET /status/feed.atom`: the incidents for feed readers. */
export async function answerStatusFeed(watch: Pick<StatusWatch, "report">, baseUrl: string): Promise<Response> {
  const headers = { ...CACHED, "content-type": "application/atom+xml; charset=utf-8" };
  return new Response(statusFeed(await watch.report(), baseUrl), { headers });
}
