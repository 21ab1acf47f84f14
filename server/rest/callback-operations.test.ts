import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Context } from "#server/context.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { enqueueTestCallback } from "#testing/callbacks.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setRate, TEST_CHAIN } from "#testing/factories.ts";
import { issueKey, readAnswer, signedRequest, testContext, testSurfaceContext } from "#testing/surface.ts";
import { CALLBACKS } from "./callback-operations.ts";
import { settlementSurface } from "./settlement-surface.ts";
import { handle } from "./surface.ts";

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createTestDatabase();
  await addTerms(database.db);
  await setRate(database.db, "0.0077");
  ctx = testContext(database.db);
});
afterAll(() => database.close());

it("a resend asks DNS before any transaction, and outside of the time that the database has", async () => {
  const key = await issueKey(ctx);
  const partnerId = key.partnerId ?? "";
  const by = { actor: { type: "api_key", apiKeyId: key.id, partnerId }, requestId: null } as const;
  const settlement = await createSettlement(ctx, {
    partnerId,
    apiKeyId: key.id,
    by,
    sourceAmountMinor: 1_000_000n,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId: "shop-1",
    chain: TEST_CHAIN.chain,
    walletAddress: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
    callbackUrl: null,
  });
  const partner = { partnerId, apiKeyId: key.id, by, apiSecret: key.apiSecret, callbackSecret: "" };
  const { id } = await enqueueTestCallback(database.db, partner, "https://receiver.example", { subjectId: settlement.id });
  await database.sql`update callbacks set state = 'delivered', due_at = null, delivered_at = now() where id = ${id}`;
  const open: number[] = [];
  // Only the owner sees what other sessions do.
  const owner = postgres(database.url, { max: 1 });
  const judge = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_900));
    const [row] = await owner<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
    open.push(row?.n ?? -1);
    return { verdict: "allowed" } as const;
  };
  const surfaceContext = testSurfaceContext({ ...ctx, callbacks: { ...ctx.callbacks, judge } });
  const target = `/api/v1/settlements/${settlement.id}/callbacks/${id}/resend`;
  const raw = signedRequest(key, { method: "POST", target, headers: { "Idempotency-Key": randomUUID() } });
  expect(readAnswer(await handle(settlementSurface, surfaceContext, CALLBACKS, raw))).toMatchObject({
    status: 202,
    body: { id, state: "pending" },
  });
  await owner.end();
  expect(open).toEqual([0]);
});
