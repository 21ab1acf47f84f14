import { afterEach, describe, expect, it } from "vitest";
import { unavailablePages } from "#server/observe/unavailable.ts";
import { closeFrontDoors, exchange, get, type Next, openFrontDoor, statusOf } from "#testing/front-door.ts";

afterEach(closeFrontDoors);

/** As Next does when a page fails: it first reports the error, then writes a 500 in one of several ways. */
function failing(isAway: boolean, write: (response: Parameters<Next>[1]) => void): Next {
  return async (request, response) => {
    if (isAway) unavailablePages().add(String(request.headers["x-request-id"]));
    response.setHeader("Content-Encoding", "identity");
    write(response);
  };
}
const WAYS: [string, (response: Parameters<Next>[1]) => void][] = [
  ["with its head first", (response) => void response.writeHead(500, { "Content-Type": "text/html" }).end("Next's own page")],
  [
    "in pieces",
    (response) => {
      response.statusCode = 500;
      response.write("Next's own ");
      response.end("page");
    },
  ],
  [
    "at once",
    (response) => {
      response.statusCode = 500;
      response.end("Next's own page");
    },
  ],
];

describe("a page that a part that is away has kept from being made", () => {
  it.each(WAYS)("is a 503 that says so and tries again by itself (%s)", async (_way, write) => {
    const { port } = await openFrontDoor({ next: failing(true, write) });
    const answer = await exchange(port, get("/console/settlements"));
    expect(statusOf(answer)).toBe(503);
    expect(answer).toMatch(/^Retry-After: 5\r$/m);
    expect(answer).toMatch(/^X-Request-Id: req_/m);
    expect(answer).toContain('<meta http-equiv="refresh" content="5">');
    expect(answer).not.toContain("Next's own");
    expect(answer).not.toMatch(/^Content-Encoding/im);
    expect(unavailablePages().size).toBe(0);
  });

  it.each(WAYS)("stays a 500 where it failed for another reason (%s)", async (_way, write) => {
    const { port } = await openFrontDoor({ next: failing(false, write) });
    const answer = await exchange(port, get("/console/settlements"));
    expect([statusOf(answer), answer.includes("Next's own")]).toEqual([500, true]);
  });
});
