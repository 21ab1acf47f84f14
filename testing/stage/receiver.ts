import type { ServerResponse } from "node:http";
import { type Delivery, type Endpoint, openEndpoint } from "#sandbox/client/receiver.ts";

export type ReceivedRequest = Omit<Delivery, "body"> & { body: string };
export type Receiver = Endpoint & {
  requests: ReceivedRequest[];
  /** How the following requests are answered; 200 and `{"received": true}` unless said. */
  answer: (request: ReceivedRequest, response: ServerResponse) => void;
  /** Waits until this many requests have come. */
  received(count: number): Promise<void>;
};

/** A partner's callback endpoint on 127.0.0.1. */
export async function openReceiver(answer?: Receiver["answer"]): Promise<Receiver> {
  const endpoint = await openEndpoint((delivery, response) => {
    const received = { ...delivery, body: delivery.body.toString("utf8") };
    receiver.requests.push(received);
    receiver.answer(received, response);
  });
  const receiver: Receiver = {
    ...endpoint,
    requests: [],
    answer: answer ?? ((_request, response) => response.end('{"received":true}')),
    async received(count) {
      for (const until = Date.now() + 10_000; receiver.requests.length < count; ) {
        if (Date.now() > until) throw new Error(`${receiver.requests.length} of ${count} requests came`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
  return receiver;
}
