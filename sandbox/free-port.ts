import { createServer } from "node:net";

/** Whether a server could listen there now. */
export async function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return (await listenOnce(port, host)) !== null;
}

/** A port of the loopback address that nobody listens on at the moment. */
export async function findFreePort(preferred?: number | null): Promise<number> {
  if (preferred && (await isPortFree(preferred))) return preferred;
  const port = await listenOnce(0, "127.0.0.1");
  if (port === null) throw new Error("no free port");
  return port;
}

function listenOnce(port: number, host: string): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : null));
    });
  });
}
