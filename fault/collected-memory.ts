import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";

/**
 * Loaded before a process of the service (`--import`, together with `--expose-gc`). A client that connects to the socket named after the
 * process, in the folder of `?folder=`, gets the heap size after a full garbage collection. Nothing else changes.
 */
const folder = new URL(import.meta.url).searchParams.get("folder") ?? "";
const path = join(folder, `${process.pid}.sock`);

const server = createServer(async (socket) => {
  socket.on("error", () => {});
  // Finalizers release, before the second collection, what the first one found unused.
  for (let time = 0; time < 2; time += 1) {
    globalThis.gc?.();
    await turn();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  socket.end(JSON.stringify({ heldBytes: heapUsed + external, residentBytes: rss }));
});
rmSync(path, { force: true });
server.listen(path).unref();
