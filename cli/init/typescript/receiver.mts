import { createServer, type IncomingMessage, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { type Callback, CallbackRefused, verifyCallback } from "settlement-sdk";

/**
 * A web server for callbacks. It calls `handle` once for each genuine callback, and answers 200 when that is done. A copy gets 200 and does
 * nothing. Keep the ids in your database in production, in the transaction that changes your order.
 */
export function createReceiver(callbackSecret: string, handle: (callback: Callback) => Promise<void>): Server {
  const handled = new Set<string>();
  const receive = async (request: IncomingMessage) => {
    // The signature is over the raw bytes, so verify before you parse.
    const callback = await verifyCallback({ headers: request.headers, body: await buffer(request) }, { callbackSecret });
    if (handled.has(callback.id)) return;
    await handle(callback);
    handled.add(callback.id);
  };
  return createServer((request, response) => {
    receive(request).then(
      () => response.writeHead(200).end(),
      // 400: not from the service. 500: a fault on your side, and the callback comes again.
      (error: unknown) => response.writeHead(error instanceof CallbackRefused ? 400 : 500).end(),
    );
  });
}
