import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export type ReceivedRequest = { method: string; target: string; headers: IncomingHttpHeaders; body: string; at: number };
export type Receiver = {
  origin: string;
  port: number;
  requests: ReceivedRequest[];
  /** How the following requests are answered; 200 and `{"received": true}` unless said. */
  answer: (request: ReceivedRequest, response: ServerResponse) => void;
  /** Waits until so many requests have come. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
};

/** A partner's callback endpoint on 127.0.0.1. */
export async function openReceiver(answer?: Receiver["answer"]): Promise<Receiver> {
  const sockets = new Set<Socket>();
  const server = http.createServer((request, response) => void receive(request, response));
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests: [],
    answer: answer ?? ((_request, response) => response.end('{"received":true}')),
    async received(count) {
      for (const until = Date.now() + 10_000; receiver.requests.length < count; ) {
        if (Date.now() > until) throw new Error(`${receiver.requests.length} of ${count} requests came`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    const received = { method, target: url, headers, body: Buffer.concat(chunks).toString("utf8"), at: Date.now() };
    receiver.requests.push(received);
    receiver.answer(received, response);
  }
  return receiver;
}
