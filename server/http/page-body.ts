import { IncomingMessage } from "node:http";
import { Refusal } from "#domain/refusal.ts";
import { MAX_BODY_BYTES } from "#server/rest/read-input.ts";
import { announcedLength, readBody } from "./read-body.ts";

/**
 * The request that Next sees outside of the surfaces: one with a body is replaced by a request with the whole body, read here and small
 * enough. Next and its libraries read a body of any length to its end, next-auth before it checks the sender.
 *
 * @throws Refusal `body_too_large`; nothing further is read. ClientGone.
 */
export async function withWholeBody(request: IncomingMessage): Promise<IncomingMessage> {
  const announced = announcedLength(request);
  if (announced === 0 && request.headers["transfer-encoding"] === undefined) return request;
  const body = await readBody(request, announced, MAX_BODY_BYTES);
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
