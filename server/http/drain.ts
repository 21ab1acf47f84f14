import type { Server } from "node:http";

/**
 * Stops accepting connections and settles once every request under way is answered, or after the grace by cutting off the rest.
 * Idle connections are closed at once, others with their answer.
 */
export async function drain(server: Server, graceMs: number): Promise<void> {
  server.prependListener("request", (_request, response) => {
    response.shouldKeepAlive = false;
  });
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that becomes idle after its last answer would otherwise stay open for the keep-alive time.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(force);
}
