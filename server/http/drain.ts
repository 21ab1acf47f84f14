import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export type Drain = {
  /** From now on each answer is its connection's last, so that clients and balancers go elsewhere by themselves. */
  announce(): void;
  end(graceMs: number): Promise<void>;
};

/**
 * Watches a server's connections from its start. The answer's `end` ends it in good order: it stops accepting, closes what is idle at once
 * (also connections that never sent a request, which the server itself would keep), lets requests under way finish and settles
 * then, or after the grace by cutting off the rest.
 */
export function watchConnections(server: Server): Drain {
  const idle = new Set<Socket>();
  let leaving = false;
  let draining = false;
  server.on("connection", (socket) => {
    idle.add(socket);
    socket.once("close", () => idle.delete(socket));
  });
  const busy = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    idle.delete(socket);
    if (leaving) response.shouldKeepAlive = false;
    response.once("close", () => {
      if (socket.destroyed) return;
      idle.add(socket);
      if (draining) socket.destroySoon();
    });
  };
  server.on("request", busy).on("checkContinue", busy).on("checkExpectation", busy);
  const announce = () => {
    leaving = true;
  };
  const end = async (graceMs: number) => {
    announce();
    draining = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of idle) socket.destroySoon();
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(force);
  };
  return { announce, end };
}
