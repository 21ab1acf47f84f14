import { afterAll, beforeAll, expect, test } from "vitest";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { issueKey, signedRequest, testContext, testSurfaceContext } from "#testing/surface.ts";
import { ECHO } from "./echo.ts";
import { settlementSurface } from "./settlement-surface.ts";
import { handle } from "./surface.ts";
import type { SurfaceContext } from "./surface-context.ts";

let database: TestDatabase;
let surfaceContext: SurfaceContext;
let key: IssuedApiKey;
beforeAll(async () => {
  database = await createTestDatabase();
  surfaceContext = testSurfaceContext(testContext(database.db));
  key = await issueKey(surfaceContext.ctx);
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
      surfaceContext,
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
