import type { IncomingMessage, ServerResponse } from "node:http";
import { Refusal } from "#domain/refusal.ts";

/**
 * Refuses what the parser lets through although two servers could read it differently: no host or several of them, and transfer
 * encodings other than `chunked`. The connection is closed with the answer, because where the request ends is in doubt.
 */
export function refuseFraming(request: IncomingMessage, response: ServerResponse): Refusal | null {
  const named = (name: string) => request.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
  const hosts = named("host");
  const encoding = request.headers["transfer-encoding"];
  const fault =
    hosts > 1 || (hosts === 0 && request.httpVersion === "1.1")
      ? "A request names its host once."
      : encoding !== undefined && encoding.toLowerCase() !== "chunked"
        ? "The only transfer encoding is chunked."
        : null;
  if (fault === null) return null;
  response.shouldKeepAlive = false;
  return new Refusal("malformed_header", { detail: fault });
}
