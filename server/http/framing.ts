import type { ServerResponse } from "node:http";
import { Refusal } from "#domain/refusal.ts";
import type { RawRequest } from "#server/rest/raw-request.ts";

/**
 * Refuses what the parser lets through although two servers could read it differently: no host or several of them, and transfer
 * encodings other than `chunked`. The connection is closed with the answer, because where the request ends is in doubt.
 */
export function refuseFraming(httpVersion: string, headers: RawRequest["headers"], response: ServerResponse): Refusal | null {
  const hosts = headers.get("host")?.length ?? 0;
  const encoding = headers.get("transfer-encoding");
  const fault =
    hosts > 1 || (hosts === 0 && httpVersion === "1.1")
      ? "A request names its host once."
      : encoding !== undefined && encoding.join().toLowerCase() !== "chunked"
        ? "The only transfer encoding is chunked."
        : null;
  if (fault === null) return null;
  response.shouldKeepAlive = false;
  return new Refusal("malformed_header", { detail: fault });
}
