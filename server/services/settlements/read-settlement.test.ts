import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { restTransfers } from "#db/queries/transfers/transfers.ts";
import type { Uses } from "#server/context.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setRate, TEST_CHAIN, type TestPartner, testChains } from "#testing/factories.ts";
import { bringOutbox } from "./bring-outbox.ts";
import { confirmSettlement } from "./confirm-settlement.ts";
import { createSettlement } from "./create-settlement.ts";
import { failSettlement } from "./fail-settlement.ts";
import { readSettlementAsShown } from "./read-settlement.ts";

let database: TestDatabase;
let partner: TestPartner;
let ctx: Uses<"db" | "clock" | "chains" | "policy" | "mode">;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = {
    db: database.db,
    clock: { now: () => new Date() },
    mode: "sandbox",
    chains: testChains,
    policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 },
  };
  await addTerms(database.db);
  await setRate(database.db, "0.0077");
  partner = await addPartner(database.db);
});
afterAll(() => database.close());

async function confirmed(): Promise<string> {
  const quote = { sourceAmountMinor: 1_000_000n, sourceCurrency: "KES", destinationCurrency: "USDT", externalMerchantId: "merchant-1" };
  const walletAddress = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  const { id } = await createSettlement(ctx, { ...partner, ...quote, chain: TEST_CHAIN.chain, walletAddress, callbackUrl: null });
  const callbackUrl = "http://localhost:9/callbacks";
  await confirmSettlement(ctx, { ...partner, id, externalTxId: randomUUID(), callbackUrl, expectedDestinationAmount: null });
  await bringOutbox(ctx);
  return id;
}
const shown = (id: string) => readSettlementAsShown(ctx, { partnerId: partner.partnerId, id });

test("a settlement is shown with why its own payment waits, and that its own callback did not come home", async () => {
  const waiting = await confirmed();
  const other = await confirmed();
  const [transfer] = await database.sql<{ id: string }[]>`select id from transfers where owner_id = ${waiting}`;
  await restTransfers(ctx.db, [transfer?.id ?? ""], { kind: "treasury_funding", reason: "too little", restMs: 1_000 });
  await ctx.db.transaction((tx) => failSettlement(tx, { settlementId: other, reason: "the token's contract refused" }));
  await ctx.db.execute(sql`update callbacks set state = 'undelivered', due_at = null, undelivered_at = now() where subject_id = ${other}`);

  expect(await shown(waiting)).toMatchObject({
    settlement: { id: waiting },
    waiting: { kind: "treasury_funding", since: expect.any(Date) },
    hasUndelivered: false,
  });
  expect(await shown(other)).toMatchObject({ settlement: { id: other }, waiting: null, hasUndelivered: true });
});

test("a settlement is another partner's secret", async () => {
  const id = await confirmed();
  const { partnerId } = await addPartner(database.db);
  await expect(readSettlementAsShown(ctx, { partnerId, id })).rejects.toMatchObject({ code: "settlement_not_found" });
});
