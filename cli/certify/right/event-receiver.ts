import { createServer, type Server } from "node:http";
import { CallbackRefused, verifyEvent } from "#sdk/typescript/src/index.ts";

/** A correct receiver of events: it acts once per id, and never on a version that is older than one it has. */
export function rightEventReceiver(callbackSecret: string): Server {
  const [seen, versions] = [new Set<string>(), new Map<string, number>()];
  let work = 0;
  return createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    try {
      const event = await verifyEvent({ headers: request.headers, body: Buffer.concat(chunks) }, { callbackSecret });
      const isNews = !seen.has(event.id) && event.version > (versions.get(event.object_id) ?? 0);
      seen.add(event.id);
      if (isNews) {
        versions.set(event.object_id, event.version);
        work += 1;
      }
      response.writeHead(200, { "x-work-count": work }).end();
    } catch (error) {
      response.writeHead(error instanceof CallbackRefused ? 400 : 500).end();
    }
  });
}
