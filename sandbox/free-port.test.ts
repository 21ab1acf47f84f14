import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { findFreePort, isPortFree } from "./free-port.ts";

const OUTGOING = "/proc/sys/net/ipv4/ip_local_port_range";
/** Where the system does not say: as Linux is delivered. */
const lowestOutgoing = existsSync(OUTGOING) ? Number(readFileSync(OUTGOING, "utf8").split("\t")[0]) : 32_768;

describe("a free port", () => {
  it("is none that an outgoing connection may take before a program listens on it", async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, () => findFreePort()));
    expect(Math.max(...ports)).toBeLessThan(lowestOutgoing);
    expect(new Set(ports).size).toBeGreaterThan(40);
  });

  it("is the preferred one, unless something listens there", async () => {
    const preferred = await findFreePort();
    expect(await findFreePort(preferred)).toBe(preferred);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(preferred, "127.0.0.1", resolve));
    expect(await isPortFree(preferred)).toBe(false);
    expect(await findFreePort(preferred)).not.toBe(preferred);
    await new Promise((resolve) => server.close(resolve));
  });
});
