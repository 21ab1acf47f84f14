import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { createFrontDoor } from "#server/http/front-door.ts";
import type { Log } from "#server/ports.ts";
import { EXCHANGE_HEADER, exchanges } from "#server/rest/exchange.ts";
import type { RawRequest } from "#server/rest/raw-request.ts";

type Seen = { url: string; method: string; headers: IncomingMessage["headers"]; raw: RawRequest | undefined };
export type Next = (request: IncomingMessage, response: ServerResponse, seen: Seen) => Promise<void>;

const closers: (() => Promise<void>)[] = [];

/** To be called in `afterEach`. */
export async function closeFrontDoors(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}

const silent: Log = { info: () => {}, warn: () => {}, error: () => {}, child: () => silent };

/** A front door with a stub where Next would be; the stub answers 200 unless told otherwise. */
export async function openFrontDoor(next: Next = async (_request, response) => void response.end("ok")) {
  const seen: Seen[] = [];
  const { server, drain } = createFrontDoor({
    log: silent,
    baseUrl: "http://base",
    next: async (request, response) => {
      const id = request.headers[EXCHANGE_HEADER];
      const raw = exchanges().get(typeof id === "string" ? id : "");
      const one = { url: request.url ?? "", method: request.method ?? "", headers: request.headers, raw };
      seen.push(one);
      await next(request, response, one);
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  closers.push(() => drain.end(0));
  return { drain, port, seen };
}

/** Sends the bytes as they are and answers all that came back until the other end closed or the answer fell silent. */
export async function exchange(port: number, bytes: string | Buffer, quietMs = 300): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  let text = "";
  const done = Promise.withResolvers<void>();
  let quiet: NodeJS.Timeout | undefined;
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    clearTimeout(quiet);
    quiet = setTimeout(() => done.resolve(), quietMs);
  });
  socket.on("close", () => done.resolve());
  socket.write(bytes);
  await done.promise;
  clearTimeout(quiet);
  socket.destroy();
  return text;
}

export const get = (target: string, headers = "") => `GET ${target} HTTP/1.1\r\nHost: h\r\n${headers}\r\n`;
export const statusOf = (answer: string) => Number(answer.slice(9, 12));
