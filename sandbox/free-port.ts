import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the ports that systems give to outgoing connections (Linux: from 32,768). One of those can be taken again before a program that needs a
 * second for its start listens on it.
 */
const PORTS = { from: 20_000, to: 32_000 };
const TRIES = 100;

/** A port of the loopback address on which nothing listens now: `preferred`, or a random one that no outgoing connection takes. */
export async function findFreePort(preferred?: number | null): Promise<number> {
  if (preferred && (await isPortFree(preferred))) return preferred;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isPortFree(port)) return port;
  }
  throw new Error("no free port");
}

/** Whether a server could listen there now. */
export function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
