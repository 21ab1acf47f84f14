import { IncomingMessage } from "node:http";
import { Refusal } from "#domain/refusal.ts";
import { MAX_BODY_BYTES } from "#server/rest/read-input.ts";
import { announcedLength, readBody } from "./read-body.ts";

/**
 * What Next gets to see of a request that is no surface's: where it has a body, a request of its own that holds all of it, read here and
 * found small enough. Next and its guests read a body to its end, however long, and next-auth before it asks who sends it.
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
