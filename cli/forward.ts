import { causeOf } from "./cause.ts";
import type { Arrival, Reply } from "./receiver.ts";

const PATIENCE_MS = 30_000;
/** They are about one connection, not about what is carried. */
const OF_THE_CONNECTION = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Forwards a callback unchanged, and returns the answer; a redirect counts as an answer. */
export async function forward(url: string, { method, headers, body }: Arrival): Promise<NonNullable<Reply> & { trouble: string | null }> {
  const carried = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || OF_THE_CONNECTION.has(name) ? [] : [[name, [value].flat().join(", ")] as [string, string]],
  );
  try {
    const sent: RequestInit = { method, headers: carried, redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) };
    const answer = await fetch(url, method === "GET" || method === "HEAD" ? sent : { ...sent, body: new Uint8Array(body) });
    const location = answer.headers.get("location");
    const kind = answer.headers.get("content-type");
    const replyHeaders = { ...(kind === null ? {} : { "content-type": kind }), ...(location === null ? {} : { location }) };
    return { status: answer.status, headers: replyHeaders, body: new Uint8Array(await answer.arrayBuffer()), trouble: null };
  } catch (error) {
    return { status: 502, trouble: causeOf(error) };
  }
}
