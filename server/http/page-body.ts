import { IncomingMessage } from "node:http";
import { Refusal } from "#domain/refusal.ts";
import { splitTarget } from "#server/rest/raw-request.ts";
import { MAX_BODY_BYTES } from "#server/rest/read-input.ts";
import { announcedLength, readBody } from "./read-body.ts";

/** The console sends a file of payments in parts of 500 rows, which are as long as a batch by API. */
const FILE_PARTS = ["/api/trpc/batches.judge", "/api/trpc/batches.create"];
const FILE_PART_BYTES = 512 * 1_024;

/** The most bytes that are read for a path outside of the surfaces. */
export function pageBodyLimitAt(path: string): number {
  return FILE_PARTS.includes(path) ? FILE_PART_BYTES : MAX_BODY_BYTES;
}

/**
 * The request that Next sees outside of the surfaces: one with a body is replaced by a request with the whole body, read here and small
 * enough. Next and its libraries read a body of any length to its end, next-auth before it checks the sender.
 *
 * @throws Refusal `body_too_large`; nothing further is read. ClientGone.
 */
export async function withWholeBody(request: IncomingMessage): Promise<IncomingMessage> {
  const announced = announcedLength(request);
  if (announced === 0 && request.headers["transfer-encoding"] === undefined) return request;
  const body = await readBody(request, announced, pageBodyLimitAt(splitTarget(request.url ?? "").path));
  if (body === "too_large") throw new Refusal("body_too_large");
  const whole = new IncomingMessage(request.socket);
  const { method, url, httpVersion, httpVersionMajor, httpVersionMinor, rawHeaders } = request;
  const { "transfer-encoding": _, ...headers } = request.headers;
  Object.assign(whole, { method, url, httpVersion, httpVersionMajor, httpVersionMinor, rawHeaders, complete: true });
  whole.headers = { ...headers, "content-length": String(body.length) };
  whole.push(body);
  whole.push(null);
  return whole;
}
