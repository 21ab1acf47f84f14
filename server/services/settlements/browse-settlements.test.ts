import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { auditEntries } from "#db/schema/audit-log.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import { settlements } from "#db/schema/settlements.ts";
import type { Uses } from "#server/context.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setClockOffset, setRate, TEST_CHAIN, type TestPartner, testChains } from "#testing/factories.ts";
import { justProven } from "#testing/people.ts";
import { approveSettlement } from "./approve-settlement.ts";
import { bringOutbox } from "./bring-outbox.ts";
import { type BrowseFilter, browseSettlements, countSettlements } from "./browse-settlements.ts";
import { confirmSettlement } from "./confirm-settlement.ts";
import { createSettlement } from "./create-settlement.ts";
import { exportSettlements } from "./export-settlements.ts";
import { failSettlement } from "./fail-settlement.ts";

const ABOVE_MAXIMUM = 100_000_001n;
const HOUR_MS = 3_600_000;
const ADMIN = {
  actor: { type: "user", userId: randomUUID(), role: "admin", partnerId: null },
  requestId: "req_test",
  proof: justProven(),
} as const;

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
});
/** Each test has its own partner, and sees only its settlements. */
beforeEach(async () => {
  await setClockOffset(database.db, 0);
  partner = await addPartner(database.db);
});
afterAll(async () => await database.close());

const create = async (sourceAmountMinor = 1_000_000n, by = partner) =>
  (
    await createSettlement(ctx, {
      ...by,
      sourceAmountMinor,
      sourceCurrency: "KES",
      destinationCurrency: "USDT",
      externalMerchantId: "merchant-1",
      chain: TEST_CHAIN.chain,
      walletAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
      callbackUrl: null,
    })
  ).id;
const approve = (id: string) => approveSettlement(ctx, { by: ADMIN, id, note: null, expectedExchangeRate: null });
const confirm = (id: string) =>
  confirmSettlement(ctx, {
    ...partner,
    id,
    externalTxId: randomUUID(),
    callbackUrl: "http://localhost:9/callbacks",
    expectedDestinationAmount: null,
  });
const fail = (settlementId: string) =>
  ctx.db.transaction((tx) => failSettlement(tx, { settlementId, reason: "the token's contract refused" }));

async function found(filter: BrowseFilter): Promise<string[]> {
  const own = { ...filter, partnerId: partner.partnerId };
  const { items } = await browseSettlements(ctx, { filter: own, limit: 100, position: null, direction: "older" });
  expect((await countSettlements(ctx, own)).count).toBe(items.length);
  return items.map(({ settlement }) => settlement.id);
}

test("approval and lapse are distinct: what awaits a decision lapses too, and an approved quote lapses by itself", async () => {
  const [plain, pending, approved] = [await create(), await create(ABOVE_MAXIMUM), await create(ABOVE_MAXIMUM)];
  await approve(approved);
  expect(await found({ approval: "none" })).toEqual([plain]);
  expect(await found({ approval: "pending" })).toEqual([pending]);
  expect(await found({ approval: "approved" })).toEqual([approved]);
  expect(await found({ lapsed: true })).toEqual([]);
  expect(await found({ view: "approved" })).toEqual([approved]);
  expect(await found({ view: "quoted" })).toEqual([plain]);
  await setClockOffset(database.db, 2 * HOUR_MS);
  expect(await found({ lapsed: true })).toEqual([approved, pending, plain]);
  expect(await found({ view: "lapsed", approval: "approved" })).toEqual([approved]);
  expect(await found({ view: "quoted" })).toEqual([]);
});

test("what processes for long, what failed today, and why it failed, are found by the clock and the words", async () => {
  const [slow, broken] = [await create(), await create()];
  await confirm(slow);
  await confirm(broken);
  await bringOutbox(ctx);
  await fail(broken);
  expect(await found({ processingMinutes: 10 })).toEqual([]);
  expect(await found({ failedToday: true })).toEqual([broken]);
  expect(await found({ failureReason: "CONTRACT" })).toEqual([broken]);
  expect(await found({ failureReason: "100%" })).toEqual([]);
  await setClockOffset(database.db, HOUR_MS);
  expect(await found({ processingMinutes: 10 })).toEqual([slow]);
  expect(await found({ processingMinutes: 61 })).toEqual([]);
  await setClockOffset(database.db, 24 * HOUR_MS);
  expect(await found({ failedToday: true })).toEqual([]);
});

test("callbacks and decisions narrow the list, each by its own state and person", async () => {
  const [decided, undecided] = [await create(ABOVE_MAXIMUM), await create(ABOVE_MAXIMUM)];
  await approve(decided);
  expect(await found({ decidedBy: ADMIN.actor.userId })).toEqual([decided]);
  expect(await found({ decidedBy: randomUUID() })).toEqual([]);
  const now = new Date();
  const kept = {
    ...partner,
    event: "settlement.approved",
    url: "http://localhost:9/",
    queue: "-",
    body: "{}",
    series: 1,
    nextNumber: 1,
  } as const;
  await ctx.db.insert(callbacks).values([
    { ...kept, id: `cb_${decided.slice(3)}`, subjectId: decided, state: "undelivered", createdAt: now, undeliveredAt: now },
    { ...kept, id: `cb_${undecided.slice(3)}`, subjectId: undecided, state: "pending", createdAt: now, dueAt: now },
  ]);
  expect(await found({ callbackState: "undelivered" })).toEqual([decided]);
  expect(await found({ callbackState: "pending" })).toEqual([undecided]);
  expect(await found({ callbackState: "delivered" })).toEqual([]);
});

test("a file has every settlement of its filter once, whatever is added meanwhile, and the audit log says who took it", async () => {
  const first = await create();
  const [template] = await ctx.db.select().from(settlements).where(eq(settlements.id, first));
  if (template === undefined) throw new Error("nothing was created");
  const own = { partnerId: partner.partnerId, apiKeyId: partner.apiKeyId };
  const at = (index: number) => new Date(Date.now() - 1_000 - Math.floor(index / 7));
  const more = Array.from({ length: 1_203 }, (_, index) => ({
    ...template,
    ...own,
    id: `tx_${String(index).padStart(26, "0")}`,
    createdAt: at(index),
  }));
  await ctx.db.insert(settlements).values(more);
  const { count, batches } = await exportSettlements(ctx, { by: ADMIN, filter: own, asked: { columns: ["tx_id"] } });
  const ids: string[] = [];
  for await (const batch of batches) {
    await create();
    ids.push(...batch.map(({ settlement }) => settlement.id));
  }
  expect(count).toBe(1_204);
  expect(ids).toHaveLength(1_204);
  expect(new Set(ids)).toEqual(new Set([first, ...more.map(({ id }) => id)]));
  const entries = (await ctx.db.select().from(auditEntries)).filter(({ action }) => action === "settlements.exported");
  expect(entries).toMatchObject([{ actorId: ADMIN.actor.userId, change: { count: 1_204, columns: ["tx_id"] } }]);
});
