import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { afterEach, expect, it } from "vitest";
import { closeFrontDoors, get, type Next, openFrontDoor } from "#testing/front-door.ts";

afterEach(closeFrontDoors);

const CHUNK = Buffer.alloc(64 * 1_024, "x");

/** As Next does with a stream: it continues when the client has read something. The started answers are recorded. */
function streaming(type: string): { next: Next; responses: ServerResponse[]; most: () => number } {
  const responses: ServerResponse[] = [];
  let most = 0;
  const next: Next = async (_request, response) => {
    responses.push(response);
    response.setHeader("Content-Type", type);
    while (!response.destroyed) {
      if (!response.write(CHUNK)) await Promise.race([once(response, "drain"), once(response, "close")]);
      most = Math.max(most, response.writableLength);
    }
  };
  return { next, responses, most: () => most };
}

it("a listener whose socket takes nothing is cut off, with what waits for it; one that reads hears on", async () => {
  const { next, responses, most } = streaming("text/event-stream");
  const { port } = await openFrontDoor({ next, unreadMs: 500 });
  const reader = connect(port, "127.0.0.1");
  let heard = 0;
  reader.on("data", (chunk) => {
    heard += chunk.length;
  });
  const deaf = connect(port, "127.0.0.1").pause();
  const end = once(deaf, "close").catch(() => {});
  deaf.on("error", () => {});
  deaf.write(get("/api/trpc/live.changes"));
  await expect.poll(() => responses.length).toBe(1);
  reader.write(get("/api/trpc/live.changes"));
  await expect.poll(() => responses[0]?.destroyed, { timeout: 30_000 }).toBe(true);
  // One connection never used more than a little of our memory.
  expect(most()).toBeLessThan(8 * CHUNK.length);
  deaf.resume();
  await end;
  const before = heard;
  await expect.poll(() => heard).toBeGreaterThan(before);
  expect(responses[1]?.destroyed).toBe(false);
  reader.destroy();
});

it("what is no live stream may be read as slowly as one likes", async () => {
  const plain = streaming("text/csv");
  const { port } = await openFrontDoor({ next: plain.next, unreadMs: 100 });
  const slow = connect(port, "127.0.0.1").pause();
  slow.on("error", () => {});
  slow.write(get("/console/export"));
  await expect.poll(() => plain.responses[0]?.writableNeedDrain).toBe(true);
  const deaf = streaming("text/event-stream");
  const { port: other } = await openFrontDoor({ next: deaf.next, unreadMs: 100 });
  const gone = connect(other, "127.0.0.1").pause();
  gone.on("error", () => {});
  gone.write(get("/api/trpc/live.changes"));
  await expect.poll(() => deaf.responses[0]?.destroyed, { timeout: 30_000 }).toBe(true);
  expect(plain.responses[0]?.destroyed).toBe(false);
  slow.destroy();
});
