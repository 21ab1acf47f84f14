import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { EXIT, Trouble } from "./exit.ts";

/** A delivery, byte for byte. */
export type Arrival = { method: string; target: string; headers: IncomingHttpHeaders; body: Buffer };
/** null: nothing; anyone who called waits until it gives up. */
export type Reply = { status: number; headers?: Record<string, string>; body?: string | Uint8Array } | null;

export type Receiver = { url: string; close(): Promise<void> };

const LARGEST_BODY = 1024 * 1024;

/** A receiver of callbacks, reachable only from this machine. */
export async function openReceiver(
  { port = 0, path = "/callbacks" }: { port?: number; path?: string },
  reply: (arrival: Arrival) => Promise<Reply>,
): Promise<Receiver> {
  const server = createServer({ requestTimeout: 30_000 }, (request, response) => {
    void receive(request, reply).then(
      (answer) => send(response, answer),
      () => send(response, { status: 500 }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new Trouble(`Cannot listen on port ${port}: ${error.message}.`, EXIT.usage)));
    server.listen(port, "127.0.0.1", resolve);
  });
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Trouble("The receiver has no port.");
  return {
    url: `http://127.0.0.1:${bound.port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function receive(request: IncomingMessage, reply: (arrival: Arrival) => Promise<Reply>): Promise<Reply> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= LARGEST_BODY) chunks.push(chunk);
  }
  if (length > LARGEST_BODY) return { status: 413 };
  return await reply({ method: request.method ?? "", target: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) });
}

function send(response: ServerResponse, answer: Reply): void {
  if (answer !== null) response.writeHead(answer.status, answer.headers ?? {}).end(answer.body);
}
