import { afterAll, beforeAll, expect, test } from "vitest";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { issueKey, signedRequest, testContext, testDoor } from "#testing/surface.ts";
import type { Door } from "./door.ts";
import { ECHO } from "./echo.ts";
import { settlementSurface } from "./settlement-surface.ts";
import { handle } from "./surface.ts";

let database: TestDatabase;
let door: Door;
let key: IssuedApiKey;
beforeAll(async () => {
  database = await createTestDatabase();
  door = testDoor(testContext(database.db));
  key = await issueKey(door.ctx);
});
afterAll(() => database.close());

const DEPRECATED = {
  ...ECHO,
  operation: { ...ECHO.operation, deprecation: { since: new Date("2026-12-01T00:00:00Z"), sunset: new Date("2028-01-31T12:00:00Z") } },
};

test("every answer of a deprecated operation says so, refusals too; no other does", async () => {
  const ask = async (binding: typeof ECHO, secret = key.apiSecret) =>
    await handle(
      settlementSurface,
      door,
      [binding],
      signedRequest({ ...key, apiSecret: secret }, { method: "POST", target: "/api/v1/echo" }),
    );
  for (const [answer, status] of [
    [await ask(DEPRECATED), 200],
    [await ask(DEPRECATED, "sec_another"), 401],
  ] as const) {
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({ Deprecation: "@1796083200", Sunset: "Mon, 31 Jan 2028 12:00:00 GMT" });
    expect(answer.headers.Link).toContain('/docs/changelog>; rel="deprecation"');
  }
  expect((await ask(ECHO)).headers).not.toHaveProperty("Deprecation");
});
