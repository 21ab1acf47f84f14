import { createServer, type Server } from "node:http";
import { findFreePort } from "#sandbox/free-port.ts";
import type { Reception } from "./plan.ts";

const STATUS: Record<Exclude<Reception, "gone">, number> = { well: 200, unauthorized: 401, unavailable: 503, moved: 302 };
/** What is unavailable is back by then. */
const BACK_AT_ATTEMPT = 5;

export type Receivers = { urlOf(partner: string, reception: Reception): string; close(): void };

/** The partners' receivers of callbacks, on this machine: each path answers as it must. At `gone` nobody listens. */
export async function openReceivers(): Promise<Receivers> {
  const seen = new Map<string, number>();
  const server = createServer((request, response) => {
    request.resume();
    request.once("end", () => {
      const id = String(request.headers["webhook-id"]);
      const attempt = (seen.get(id) ?? 0) + 1;
      seen.set(id, attempt);
      const status = statusOf(request.url ?? "", attempt);
      const headers = { "content-type": "application/json", ...(status === 302 ? { location: "/elsewhere" } : {}) };
      response.writeHead(status, headers).end(status === 200 ? '{"received":true}' : JSON.stringify({ error: status }));
    });
  });
  const port = await listen(server);
  const silent = await findFreePort();
  return {
    urlOf: (partner, reception) => `http://localhost:${reception === "gone" ? silent : port}/${partner}/callbacks/${reception}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function statusOf(path: string, attempt: number): number {
  const last = path.split("/").at(-1);
  if (last === "unavailable" && attempt >= BACK_AT_ATTEMPT) return STATUS.well;
  return last === "unauthorized" || last === "unavailable" || last === "moved" ? STATUS[last] : STATUS.well;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("the receivers have no port"));
      else resolve(address.port);
    });
  });
}
