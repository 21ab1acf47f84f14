import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { createFrontDoor } from "#server/http/front-door.ts";
import type { Log } from "#server/ports.ts";
import type { RawRequest, RawResponse } from "#server/rest/raw-request.ts";

type Seen = Pick<IncomingMessage, "url" | "method" | "headers">;
export type Next = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
export type Answer = (raw: RawRequest, registered: { surface: { name: string } }) => Promise<RawResponse>;

const closers: (() => Promise<void>)[] = [];

/** To be called in `afterEach`. */
export async function closeFrontDoors(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}

const silent: Log = { info: () => {}, warn: () => {}, error: () => {}, child: () => silent };

/** Answers `ok` to everything. */
const ok: Answer = async () => ({ status: 200, headers: {}, body: "ok" });
const page: Next = async (_request, response) => void response.end("ok");

/** A front door with stubs in place of the surfaces and Next. `seen`: requests to the surfaces, `pages`: to Next. */
export async function openFrontDoor({
  answer = ok,
  next = page,
  baseUrl = "http://base",
  unreadMs,
  securityContact,
}: {
  answer?: Answer | null;
  next?: Next;
  baseUrl?: string;
  unreadMs?: number;
  securityContact?: string;
} = {}) {
  const seen: RawRequest[] = [];
  const pages: Seen[] = [];
  const { server, drain } = createFrontDoor({
    log: silent,
    baseUrl,
    ...(unreadMs !== undefined && { unreadMs }),
    ...(securityContact !== undefined && { securityContact }),
    answer:
      answer === null
        ? null
        : async (registered, raw) => {
            seen.push(raw);
            return await answer(raw, registered);
          },
    next: async (request, response) => {
      pages.push({ url: request.url ?? "", method: request.method ?? "", headers: request.headers });
      await next(request, response);
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  closers.push(() => drain.end(0));
  return { drain, port, seen, pages };
}

/** Sends the raw bytes and returns everything received until the other end closed or was silent. */
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
