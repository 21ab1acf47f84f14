import { createServer, type Server } from "node:http";
import { CallbackRefused, verifyCallback } from "#sdk/typescript/src/index.ts";

/** A correct receiver: it verifies the raw bytes, answers at once, and acts once per id. */
export function rightReceiver(callbackSecret: string): Server {
  const seen = new Set<string>();
  return createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    try {
      const { id } = await verifyCallback({ headers: request.headers, body: Buffer.concat(chunks) }, { callbackSecret });
      response.writeHead(200, { "content-type": "application/json" }).end('{"received": true}');
      // This happens once, whatever repeats and in whatever order: it asks the service for the present state.
      seen.add(id);
    } catch (error) {
      response.writeHead(error instanceof CallbackRefused ? 400 : 500).end();
    }
  });
}
