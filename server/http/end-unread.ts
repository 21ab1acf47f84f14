import type { ServerResponse } from "node:http";
import type { Log } from "#server/ports.ts";

/** A live stream says something every second: who takes none of it for so long is not there, or wants our memory. */
export const UNREAD_MS = 15_000;

/**
 * Ends a live stream whose reader takes nothing: it costs a socket and what its buffers hold, and otherwise nobody would ever end it, for a
 * stream that is full is asked for nothing more. A browser comes again and says where it was.
 */
export function endUnread(response: ServerResponse, { log, path, unreadMs }: { log: Log; path: string; unreadMs: number }): void {
  const { writeHead } = response;
  const watch = () => {
    const { socket } = response;
    if (socket === null || !String(response.getHeader("content-type")).startsWith("text/event-stream")) return;
    // Any byte that the other end takes counts, and nothing that is only waiting to be taken.
    response.setTimeout(unreadMs, () => {
      log.warn({ path, unread: socket.writableLength }, "a listener took nothing and was cut off");
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
