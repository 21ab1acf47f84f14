import { createServer, type Server } from "node:http";
import type { Part } from "#server/process/supervisor.ts";
import type { Reception } from "./plan.ts";

const STATUS: Record<Exclude<Reception, "gone">, number> = { well: 200, unauthorized: 401, unavailable: 503, moved: 302 };
/** What is unavailable is back by then. */
const BACK_AT_ATTEMPT = 5;
/** Nobody ever listens there. */
const SILENT_PORT = 9;

export type Receivers = { urlOf(partner: string, reception: Reception): string };

/** The partners' receivers of callbacks at a port of this machine: each path answers as it must. At `gone` nobody listens. */
export function receiversAt(port: number): Receivers {
  return {
    urlOf: (partner, reception) => `http://localhost:${reception === "gone" ? SILENT_PORT : port}/${partner}/callbacks/${reception}`,
  };
}

/** They answer as long as the sandbox runs, also what is approved, confirmed or resent long after the history was made. */
export function receiversPart(port: number): Part {
  return {
    name: "The partners' receivers",
    start: async () => {
      const server = receiving();
      await listen(server, port);
      const ended = Promise.withResolvers<string>();
      server.once("close", () => ended.resolve("closed"));
      const stop = async () => {
        server.close();
        server.closeAllConnections();
        await ended.promise;
      };
      return { exited: ended.promise, stop };
    },
  };
}

function receiving(): Server {
  const seen = new Map<string, number>();
  return createServer((request, response) => {
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
}

function statusOf(path: string, attempt: number): number {
  const last = path.split("/").at(-1);
  if (last === "unavailable" && attempt >= BACK_AT_ATTEMPT) return STATUS.well;
  return last === "unauthorized" || last === "unavailable" || last === "moved" ? STATUS[last] : STATUS.well;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
}
