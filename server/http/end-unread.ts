import type { ServerResponse } from "node:http";
import type { Log } from "#server/ports.ts";

/** A live stream sends something every second: a client that reads nothing for this long is gone, or attacks our memory. */
export const UNREAD_MS = 15_000;

/**
 * Ends a live stream whose client reads nothing. It would occupy a socket and its buffers for ever, because nobody asks a full stream for
 * more. A browser reconnects with its last position.
 */
export function endUnread(response: ServerResponse, { log, path, unreadMs }: { log: Log; path: string; unreadMs: number }): void {
  const { writeHead } = response;
  const watch = () => {
    const { socket } = response;
    if (socket === null || !String(response.getHeader("content-type")).startsWith("text/event-stream")) return;
    // Any byte that the other end takes counts, and nothing that is only waiting to be taken.
    response.setTimeout(unreadMs, () => {
      log.warn({ path, unread: socket.writableLength }, "a live stream's client read nothing, and it was closed");
      socket.destroy();
    });
    response.once("close", () => socket.setTimeout(0));
  };
  response.writeHead = (...head: unknown[]) => {
    const result = Reflect.apply(writeHead, response, head);
    watch();
    return result;
  };
}
