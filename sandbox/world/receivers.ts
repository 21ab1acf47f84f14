import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { simulatedAnswer } from "#domain/simulated-receiver.ts";
import type { Part } from "#server/process/supervisor.ts";

/** So many callbacks are remembered, by how often each came: the earliest are forgotten, and begin at one again. */
const MOST_REMEMBERED = 10_000;

/** Receivers of callbacks on this machine that behave as the end of their address says (`SIMULATED_RECEIVERS`). They verify nothing. */
export function simulatedReceivers(port: number): Part {
  return {
    name: "The simulated receivers",
    start: () =>
      new Promise((resolve, reject) => {
        const server = createServer(answering());
        const ended = Promise.withResolvers<string>();
        server.once("error", reject);
        server.listen(port, "127.0.0.1", () => resolve({ exited: ended.promise, stop }));
        async function stop(): Promise<void> {
          await new Promise((closed) => {
            server.close(closed);
            server.closeAllConnections();
          });
          ended.resolve("stopped");
        }
      }),
  };
}

function answering() {
  const seen = new Map<string, number>();
  return (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    request.once("end", () => {
      const id = String(request.headers["webhook-id"]);
      const attempt = (seen.get(id) ?? 0) + 1;
      seen.set(id, attempt);
      const [earliest] = seen.keys();
      if (seen.size > MOST_REMEMBERED && earliest !== undefined) seen.delete(earliest);
      const [path = ""] = (request.url ?? "").split("?");
      const answer = simulatedAnswer(path.split("/").at(-1) ?? "", attempt);
      if (answer === null) return;
      const { status, headers } = answer ?? { status: 404 };
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify({ attempt, status }));
    });
  };
}
