import { createServer, type Server } from "node:http";
import { CallbackRefused, verifyCallback } from "#sdk/typescript/src/index.ts";

/** A correct receiver: it verifies the raw bytes, answers at once, and acts once per id. It also says how much it has acted on. */
export function rightReceiver(callbackSecret: string): Server {
  const seen = new Set<string>();
  return createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    try {
      const { id } = await verifyCallback({ headers: request.headers, body: Buffer.concat(chunks) }, { callbackSecret });
      // This happens once, whatever repeats and in whatever order: it asks the service for the present state.
      seen.add(id);
      response.writeHead(200, { "content-type": "application/json", "x-work-count": seen.size }).end('{"received": true}');
    } catch (error) {
      response.writeHead(error instanceof CallbackRefused ? 400 : 500).end();
    }
  });
}
