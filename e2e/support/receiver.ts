import http, { type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = { headers: IncomingHttpHeaders; body: Buffer };
export type StoryReceiver = {
  url: string;
  origin: string;
  requests: Received[];
  /** How the next requests are answered. */
  answer: (response: ServerResponse) => void;
  close: () => Promise<void>;
};

/** A partner's endpoint on this machine, which keeps the bytes that it was sent. */
export async function receiverThat(answer: (response: ServerResponse) => void): Promise<StoryReceiver> {
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      receiver.requests.push({ headers: request.headers, body: Buffer.concat(chunks) });
      receiver.answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const receiver: StoryReceiver = {
    origin,
    url: `${origin}/hook?of=${"o'clock"}`,
    requests: [],
    answer,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

export async function closeAll(receivers: readonly StoryReceiver[]): Promise<void> {
  for (const each of receivers) await each.close();
}
