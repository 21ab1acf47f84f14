import { createServer, type IncomingMessage, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { type Callback, CallbackRefused, verifyCallback } from "settlement-sdk";

/**
 * A web server for callbacks. It calls `handle` once for each genuine callback, and answers 200 when that is done. A copy gets 200 and does
 * nothing. Keep the ids in your database in production, in the transaction that changes your order.
 */
export function createReceiver(callbackSecret: string, handle: (callback: Callback) => Promise<void>): Server {
  /** By id: from the moment that its work begins, so that a second copy waits for the first. */
  const handled = new Map<string, Promise<void>>();
  const receive = async (request: IncomingMessage) => {
    // The signature is over the raw bytes, so verify before you parse.
    const callback = await verifyCallback({ headers: request.headers, body: await buffer(request) }, { callbackSecret });
    const work = handled.get(callback.id) ?? handle(callback);
    handled.set(callback.id, work);
    // What failed is tried again with the next copy.
    await work.catch((error: unknown) => {
      handled.delete(callback.id);
      throw error;
    });
  };
  return createServer((request, response) => {
    receive(request).then(
      () => response.writeHead(200).end(),
      // 400: not from the service. 500: a fault on your side, and the callback comes again.
      (error: unknown) => response.writeHead(error instanceof CallbackRefused ? 400 : 500).end(),
    );
  });
}
