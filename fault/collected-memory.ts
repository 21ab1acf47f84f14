import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";

/**
 * Loaded before a process of the service (`--import`, beside `--expose-gc`): anyone who connects to the socket that is named after the process,
 * in the folder of `?folder=`, is told what it holds once all garbage is collected. Nothing else of it changes.
 */
const folder = new URL(import.meta.url).searchParams.get("folder") ?? "";
const path = join(folder, `${process.pid}.sock`);

const server = createServer(async (socket) => {
  socket.on("error", () => {});
  // What the first collection finds to be unused, finalizers let go of before the second.
  for (let time = 0; time < 2; time += 1) {
    globalThis.gc?.();
    await turn();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  socket.end(JSON.stringify({ heldBytes: heapUsed + external, residentBytes: rss }));
});
rmSync(path, { force: true });
server.listen(path).unref();
