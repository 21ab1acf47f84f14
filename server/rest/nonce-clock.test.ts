import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { nonces } from "#db/schema/nonces.ts";
import type { Context } from "#server/context.ts";
import { forgetSpentAccess } from "#server/services/access/forget-spent-access.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { setClockOffset } from "#testing/factories.ts";
import { issueKey, readAnswer, signedRequest, testContext, testSurfaceContext } from "#testing/surface.ts";
import { ECHO } from "./echo.ts";
import { settlementSurface } from "./settlement-surface.ts";
import { handle } from "./surface.ts";

const HOUR_MS = 3_600_000;
let database: TestDatabase;
let ctx: Context;
let key: IssuedApiKey;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = testContext(database.db, []);
  key = await issueKey(ctx);
});
afterAll(() => database.close());

/** A process whose clock is so far off. */
const off = (ms: number): Context => ({ ...ctx, clock: { now: () => new Date(Date.now() + ms) } });
const burntAt = async (nonce: string) => (await database.db.select().from(nonces).where(eq(nonces.nonce, nonce)))[0]?.burntAt;

/** Sends it to a process, signed by the time that the process believes. */
async function send(process: Context, nonce: string): Promise<unknown> {
  const timestamp = String(Math.floor(process.clock.now().getTime() / 1_000));
  const request = signedRequest(key, { method: "POST", target: "/api/v1/echo", body: "{}", timestamp, nonce });
  const { status, body } = readAnswer(await handle(settlementSurface, testSurfaceContext(process), [ECHO], request));
  return status === 200 ? status : body.code;
}

for (const [name, ms] of [
  ["behind", -HOUR_MS],
  ["ahead", HOUR_MS],
] as const)
  it(`a nonce is burnt and forgotten by the database's clock: a process that is an hour ${name} changes nothing`, async () => {
    const nonce = randomUUID();
    expect(await send(off(ms), nonce)).toBe(200);
    expect(Math.abs(((await burntAt(nonce))?.getTime() ?? 0) - Date.now())).toBeLessThan(HOUR_MS / 2);
    for (const worker of [off(HOUR_MS), off(-HOUR_MS)]) await forgetSpentAccess(worker);
    expect(await send(off(ms), nonce)).toBe("nonce_reused");
    await database.sql`update nonces set burnt_at = now() - interval '21 minutes' where nonce = ${nonce}`;
    await forgetSpentAccess(off(-HOUR_MS));
    expect(await burntAt(nonce)).toBeUndefined();
  });

it("the sandbox's clock moves business time alone: a nonce stays burnt for as long as ever", async () => {
  const nonce = randomUUID();
  expect(await send(ctx, nonce)).toBe(200);
  await setClockOffset(database.db, 400 * 24 * HOUR_MS);
  await forgetSpentAccess(ctx);
  expect(await send(ctx, nonce)).toBe("nonce_reused");
  expect(Math.abs(((await burntAt(nonce))?.getTime() ?? 0) - Date.now())).toBeLessThan(HOUR_MS);
});
