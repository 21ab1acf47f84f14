import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import { Refusal } from "#domain/refusal.ts";
import { refusalFor } from "#server/observe/trouble.ts";
import { Unreachable } from "#server/ports.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { issueKey, readAnswer, signedRequest, testContext, testSurfaceContext } from "#testing/surface.ts";
import { createDeadline } from "./deadline.ts";
import { ECHO } from "./echo.ts";
import { settlementSurface } from "./settlement-surface.ts";
import { handle } from "./surface.ts";
import { DATABASE_LIMIT_MS } from "./surface-context.ts";

let database: TestDatabase;
let key: IssuedApiKey;
beforeAll(async () => {
  database = await createTestDatabase();
  key = await issueKey(testContext(database.db));
});
afterAll(() => database.close());

/** Fifty requests at once, and which came first: all of their answers, or the driver's own word on the connection. */
async function askAll(url: string) {
  const away = openDatabase({ url, applicationName: "away", maxConnections: 4, role: database.webRole });
  const surfaceContext = testSurfaceContext(testContext(away.db), {}, DATABASE_LIMIT_MS);
  const answering = Promise.all(
    Array.from({ length: 50 }, async () =>
      readAnswer(await handle(settlementSurface, surfaceContext, [ECHO], signedRequest(key, { method: "POST", target: "/api/v1/echo" }))),
    ),
  );
  const drivers = away.sql`select 1`.then(
    () => "driver",
    () => "driver",
  );
  const first = await Promise.race([drivers, answering.then(() => "answers")]);
  const answers = await answering;
  void away.close();
  return { answers, first };
}

describe("with the database in trouble a request", () => {
  it("gets 503 with Retry-After when connections are refused", async () => {
    const { answers } = await askAll("postgres://x@127.0.0.1:1/x");
    for (const answer of answers)
      expect([answer.status, answer.body.code, Number(answer.headers["Retry-After"]) >= 1]).toEqual([503, "temporarily_unavailable", true]);
  });

  it("gets 503 by its own deadline, before the driver gives up, when the database accepts and then says nothing", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { answers, first } = await askAll(`postgres://x@127.0.0.1:${(silent.address() as AddressInfo).port}/x`);
    for (const answer of answers) expect(answer.status).toBe(503);
    expect(first).toBe("answers");
    silent.close();
  });

  it("gets 503 at once when too much work is already stuck", async () => {
    const surfaceContext = testSurfaceContext(testContext(database.db));
    surfaceContext.busy.count = 1_000;
    const answer = await handle(settlementSurface, surfaceContext, [ECHO], signedRequest(key, { method: "POST", target: "/api/v1/echo" }));
    expect(answer.status).toBe(503);
  });

  it("burns no nonce after it got 503", async () => {
    const slow = testContext(database.db);
    const surfaceContext = testSurfaceContext({ ...slow, vault: { ...slow.vault, open: () => "" } }, {}, DATABASE_LIMIT_MS);
    await database.sql.begin(async (lock) => {
      await lock`lock table api_keys in access exclusive mode`;
      const answer = await handle(
        settlementSurface,
        surfaceContext,
        [ECHO],
        signedRequest(key, { method: "POST", target: "/api/v1/echo" }),
      );
      expect(answer.status).toBe(503);
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await database.sql`select 1 from nonces`).toHaveLength(0);
    expect(surfaceContext.busy.count).toBe(0);
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
  it("counts over all pieces of work, and does not count while paused", async () => {
    const deadline = createDeadline(1_000);
    await deadline.run(() => deadline.pause(() => sleep(1_200)));
    await deadline.run(() => sleep(60));
    await expect(deadline.run(() => sleep(10_000))).rejects.toMatchObject({ code: "temporarily_unavailable" });
    expect(() => deadline.check()).toThrow();
    await expect(deadline.run(async () => 1)).rejects.toMatchObject({ code: "temporarily_unavailable" });
  });
});
