import type { ServerResponse } from "node:http";
import { unavailablePages } from "#server/observe/unavailable.ts";
import { BASELINE } from "#server/rest/baseline-headers.ts";

const RETRY_SECONDS = 5;

const HEADERS = {
  ...Object.fromEntries(BASELINE),
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "Retry-After": String(RETRY_SECONDS),
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
/** These headers apply whatever Next had already set. */
const KEPT = ["strict-transport-security", "x-request-id"];

/** Needs nothing of the service but this text, and comes again by itself. */
function page(requestId: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${RETRY_SECONDS}">
<title>Temporarily unavailable</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem}code{font-size:.9em}</style>
</head>
<body>
<main id="main">
<h1>The service is temporarily unavailable</h1>
<p role="status">Its database does not answer just now. Nothing that was done is lost, and payments under way go on by themselves.</p>
<p>This page tries again every ${RETRY_SECONDS} seconds, and shows what you asked for as soon as it can. You stay signed in.</p>
<p>Request <code>${requestId}</code></p>
</main>
</body>
</html>
`;
}

/**
 * Next answers 500 for any page error, and knows no 503. If the cause is an unavailable part, this replaces the answer before a byte of it
 * is sent.
 */
export function replaceWhenAway(response: ServerResponse, requestId: string): void {
  const { writeHead, write, end } = response;
  let replaced = false;
  const replace = (status: number): boolean => {
    if (replaced) return true;
    if (status !== 500 || response.headersSent || !unavailablePages().has(requestId)) return false;
    replaced = true;
    for (const name of response.getHeaderNames()) if (!KEPT.includes(name)) response.removeHeader(name);
    const body = page(requestId);
    writeHead.call(response, 503, { ...HEADERS, "Content-Length": Buffer.byteLength(body) });
    end.call(response, body, "utf8");
    return true;
  };
  response.writeHead = (...head: unknown[]) => (replace(Number(head[0])) ? response : Reflect.apply(writeHead, response, head));
  response.write = (...chunk: unknown[]) => replace(response.statusCode) || Reflect.apply(write, response, chunk);
  response.end = (...chunk: unknown[]) => (replace(response.statusCode) ? response : Reflect.apply(end, response, chunk));
  response.once("close", () => unavailablePages().delete(requestId));
}
