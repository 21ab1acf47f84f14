import http from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { onTask } from "./run.ts";

/** Partners' endpoints, in the requested number; returns their URLs. */
async function open({ count }: { count: number }): Promise<string[]> {
  const servers = Array.from({ length: count }, async () => {
    const server = http.createServer((request, response) => {
      request.resume();
      request.on("end", () => response.end('{"received":true}'));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  });
  return await Promise.all(servers);
}

onTask((task) => open(z.object({ count: z.number() }).parse(task)));
