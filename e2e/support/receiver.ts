import type { ServerResponse } from "node:http";
import { type Delivery, type Endpoint, openEndpoint } from "#sandbox/client/receiver.ts";

export type StoryReceiver = Endpoint & {
  url: string;
  requests: Delivery[];
  /** How the next requests are answered. */
  answer: (response: ServerResponse) => void;
};

/** A partner's endpoint on this machine, which stores the received bytes. */
export async function receiverThat(answer: StoryReceiver["answer"]): Promise<StoryReceiver> {
  const endpoint = await openEndpoint((delivery, response) => {
    receiver.requests.push(delivery);
    receiver.answer(response);
  });
  const receiver: StoryReceiver = { ...endpoint, url: `${endpoint.origin}/hook?of=o'clock`, requests: [], answer };
  return receiver;
}

export async function closeAll(receivers: readonly StoryReceiver[]): Promise<void> {
  for (const each of receivers) await each.close();
}
