import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { newId } from "#domain/ids.ts";
import { BASELINE } from "#server/rest/baseline-headers.ts";
import { errorCode } from "./error-code.ts";

/** What a parser's complaint is called: it never became a request, so no surface can answer it. */
const STATUS_OF: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_CHUNK_EXTENSIONS_OVERFLOW: 413 };

/** Answers bytes that are not a valid HTTP request (or a dangerous one) on the bare socket, and closes it. Returns the status. */
export function refuseUnparsed(error: Error, socket: Duplex): number {
  return refuseRaw(socket, STATUS_OF[errorCode(error) ?? ""] ?? 400, "The bytes sent are not a well-formed HTTP request.");
}

/** A complete answer on a bare socket, which then is closed. */
export function refuseRaw(socket: Duplex, status: number, detail: string): number {
  if (!socket.writable) {
    socket.destroy();
    return status;
  }
  const requestId = newId("request", new Date());
  const title = STATUS_CODES[status] ?? "Bad Request";
  const body = JSON.stringify({ type: "about:blank", title, status, detail, code: "malformed_header", request_id: requestId });
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    `X-Request-Id: ${requestId}`,
    "Connection: close",
    ...BASELINE.map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
  return status;
}
