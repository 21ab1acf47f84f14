import type { IncomingMessage } from "node:http";
import { ClientGone } from "#server/rest/raw-request.ts";

/** The `Content-Length`; 0 where there is none. The parser has refused invalid ones. */
export function announcedLength(request: IncomingMessage): number {
  return Number(request.headers["content-length"] ?? 0);
}

const NOTHING = new Uint8Array();

/**
 * The body's bytes, or `too_large` as soon as that is known: by its announced length before a byte is read, else with the first
 * byte too many. Then nothing more is read.
 *
 * @throws ClientGone when the client leaves or is cut off before the end.
 */
export function readBody(request: IncomingMessage, announced: number, limitBytes: number): Promise<Uint8Array | "too_large"> {
  if (announced > limitBytes) return Promise.resolve("too_large");
  if (announced === 0 && request.headers["transfer-encoding"] === undefined) return Promise.resolve(NOTHING);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (act: () => void) => {
      request.off("data", onData).off("end", onEnd).off("close", onGone).off("error", onGone);
      act();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) return void chunks.push(chunk);
      settle(() => {
        request.pause();
        resolve("too_large");
      });
    };
    const onEnd = () => settle(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    const onGone = () => settle(() => reject(new ClientGone("the request ended early")));
    request.on("data", onData).on("end", onEnd).on("close", onGone).on("error", onGone);
    if (request.destroyed && !request.readableEnded) onGone();
  });
}

/** How long and how much a client may go on sending after it was answered, so that it can read the answer. */
const LEFTOVER_MS = 1_000;
const LEFTOVER_BYTES = 16 * 1_024 * 1_024;

/**
 * Once a request was answered before all of its body came, the rest is thrown away, and the connection closed when the rest is
 * too much or too slow. Closing at once would make most clients lose the answer.
 */
export function endLeftover(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const { socket } = request;
  const timer = setTimeout(() => socket.destroy(), LEFTOVER_MS);
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > LEFTOVER_BYTES) socket.destroy();
  });
  request.once("close", () => clearTimeout(timer)).once("end", () => clearTimeout(timer));
  request.resume();
}
