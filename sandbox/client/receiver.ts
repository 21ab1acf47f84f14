import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";

/** One callback as it arrived: the exact bytes and headers. */
export type Delivery = {
  method: string;
  target: string;
  headers: IncomingHttpHeaders;
  rawHeaders: readonly string[];
  body: Buffer;
  arrivedAt: Date;
};

/** How to answer the delivery of that number (from 1); doing nothing leaves the sender hanging. */
export type Script = (response: ServerResponse, number: number, delivery: Delivery) => void;

/** Checks every delivery on arrival; waiting for a delivery, or closing the receiver, throws its error. */
const watchers: ((delivery: Delivery) => void)[] = [];
export function watchDeliveries(watcher: (delivery: Delivery) => void): void {
  watchers.push(watcher);
}

export type Receiver = {
  url: string;
  deliveries: readonly Delivery[];
  answer(script: Script): void;
  /** The delivery of that number (from 1), once it is there. */
  delivery(number: number, patienceMs?: number): Promise<Delivery>;
  close(): Promise<void>;
};

export const acknowledge: Script = (response) => {
  response.writeHead(200, { "content-type": "application/json" }).end('{"received": true}');
};
export const answerStatus =
  (status: number, headers: Record<string, string> = {}): Script =>
  (response) => {
    response.writeHead(status, headers).end();
  };
export const hang: Script = () => {};

export type Endpoint = { origin: string; port: number; close(): Promise<void> };

/** A server on 127.0.0.1 that returns each request once it is complete. Open connections are destroyed at the end. */
export async function openEndpoint(take: (delivery: Delivery, response: ServerResponse) => void): Promise<Endpoint> {
  const server = createServer((incoming, response) => void record(incoming).then((delivery) => take(delivery, response)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("the receiver has no port");
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { origin: `http://127.0.0.1:${bound.port}`, port: bound.port, close };
}

/** A real HTTP receiver on this machine's own address, which records every byte it gets. */
export async function openReceiver(first: Script = acknowledge, path = "/callbacks?shop=7"): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const troubles: unknown[] = [];
  let script = first;
  const endpoint = await openEndpoint((delivery, response) => {
    try {
      for (const watch of watchers) watch(delivery);
    } catch (error) {
      troubles.push(error);
    }
    deliveries.push(delivery);
    script(response, deliveries.length, delivery);
  });

  return {
    url: `${endpoint.origin}${path}`,
    deliveries,
    answer(next) {
      script = next;
    },
    async delivery(number, patienceMs = 20_000) {
      const givenUpAt = Date.now() + patienceMs;
      for (;;) {
        const found = deliveries[number - 1];
        if (troubles[0] !== undefined) throw troubles[0];
        if (found !== undefined) return found;
        if (Date.now() > givenUpAt) throw new Error(`no callback ${number} within ${patienceMs} ms; ${deliveries.length} came`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async close() {
      await endpoint.close();
      if (troubles[0] !== undefined) throw troubles[0];
    },
  };
}

async function record(incoming: IncomingMessage): Promise<Delivery> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method = "", url: target = "", headers, rawHeaders } = incoming;
  return { method, target, headers, rawHeaders, body: Buffer.concat(chunks), arrivedAt: new Date() };
}
