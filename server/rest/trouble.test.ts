import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import { Refusal } from "#domain/refusal.ts";
import { refusalFor } from "#server/observe/trouble.ts";
import { Unreachable } from "#server/ports.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { issueKey, readAnswer, signedRequest, testContext, testDoor } from "#testing/surface.ts";
import { createDeadline } from "./deadline.ts";
import { ECHO } from "./echo.ts";
import { settlementSurface } from "./settlement-surface.ts";
import { handle } from "./surface.ts";

let database: TestDatabase;
let key: IssuedApiKey;
beforeAll(async () => {
  database = await createTestDatabase();
  key = await issueKey(testContext(database.db));
});
afterAll(() => database.close());

/** Before the driver would give up by itself: it was our deadline, on however busy a machine. */
const GIVES_UP_MS = 4_800;

async function timed(url: string, requests = 1) {
  const away = openDatabase({ url, applicationName: "away", maxConnections: 4 });
  const door = testDoor(testContext(away.db));
  const began = performance.now();
  const answers = await Promise.all(
    Array.from({ length: requests }, async () =>
      readAnswer(await handle(settlementSurface, door, [ECHO], signedRequest(key, { method: "POST", target: "/api/v1/echo" }))),
    ),
  );
  const milliseconds = performance.now() - began;
  void away.close();
  return { answers, milliseconds };
}

describe("with the database in trouble a request", () => {
  it("is told 503 with Retry-After at once when connections are refused", async () => {
    const { answers, milliseconds } = await timed("postgres://x@127.0.0.1:1/x", 50);
    for (const answer of answers)
      expect([answer.status, answer.body.code, Number(answer.headers["Retry-After"]) >= 1]).toEqual([503, "temporarily_unavailable", true]);
    expect(milliseconds).toBeLessThan(GIVES_UP_MS);
  });

  it("is told 503 within two seconds when the database accepts and then says nothing", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { answers, milliseconds } = await timed(`postgres://x@127.0.0.1:${(silent.address() as AddressInfo).port}/x`, 50);
    for (const answer of answers) expect(answer.status).toBe(503);
    expect(milliseconds).toBeLessThan(GIVES_UP_MS);
    silent.close();
  });

  it("is told 503 at once when too much work is already stuck", async () => {
    const door = testDoor(testContext(database.db));
    door.busy.count = 1_000;
    const answer = await handle(settlementSurface, door, [ECHO], signedRequest(key, { method: "POST", target: "/api/v1/echo" }));
    expect(answer.status).toBe(503);
  });

  it("burns no nonce after it was told 503", async () => {
    const slow = testContext(database.db);
    const door = testDoor({ ...slow, vault: { ...slow.vault, open: () => "" } });
    await database.sql.begin(async (lock) => {
      await lock`lock table api_keys in access exclusive mode`;
      const answer = await handle(settlementSurface, door, [ECHO], signedRequest(key, { method: "POST", target: "/api/v1/echo" }));
      expect(answer.status).toBe(503);
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await database.sql`select 1 from nonces`).toHaveLength(0);
    expect(door.busy.count).toBe(0);
  });
});

describe("an error becomes", () => {
  const wrapped = (code: string) => new Error("Failed query", { cause: Object.assign(new Error("inner"), { code }) });
  it.each(["53300", "57P01", "57P03", "57014", "53100", "25006", "08006", "40P01", "55P03", "ECONNREFUSED", "CONNECTION_ENDED", "3D000"])(
    "temporarily_unavailable for %s",
    (code) => {
      expect(refusalFor(wrapped(code)).code).toBe("temporarily_unavailable");
    },
  );
  it.each(["23505", "22P02", "42P01", "XX000", "ERR_INVALID_ARG_TYPE"])("internal_error for %s", (code) => {
    expect(refusalFor(wrapped(code)).code).toBe("internal_error");
  });
  it("what it already is, and temporarily_unavailable for what cannot be reached", () => {
    const refusal = new Refusal("quote_expired");
    expect(refusalFor(refusal)).toBe(refusal);
    expect(refusalFor(new Unreachable("gone")).code).toBe("temporarily_unavailable");
    for (const odd of ["text", null, undefined, 5]) expect(refusalFor(odd).code).toBe("internal_error");
  });
});

describe("a deadline", () => {
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  it("counts over all pieces of work, and stands still while paused", async () => {
    const deadline = createDeadline(120);
    await deadline.run(() => deadline.pause(() => sleep(200)));
    await deadline.run(() => sleep(60));
    await expect(deadline.run(() => sleep(500))).rejects.toMatchObject({ code: "temporarily_unavailable" });
    expect(() => deadline.check()).toThrow();
    await expect(deadline.run(async () => 1)).rejects.toMatchObject({ code: "temporarily_unavailable" });
  });
});
