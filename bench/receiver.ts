import http from "node:http";
import type { AddressInfo } from "node:net";

/** Partners' endpoints in a process of their own, so that their CPU is not the deliverer's: as many as the first argument says. */
const servers = await Promise.all(
  Array.from({ length: Number(process.argv[2]) }, async () => {
    const server = http.createServer((request, response) => {
      request.resume();
      request.on("end", () => response.end('{"received":true}'));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
  }),
);
process.send?.(servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`));
process.once("disconnect", () => process.exit());
