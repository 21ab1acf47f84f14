import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditEntries } from "#db/schema/audit-log.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import { settlementQuotes } from "#db/schema/settlement-quotes.ts";
import { transfers } from "#db/schema/transfers.ts";
import { decimal, formatDecimal } from "#domain/decimal.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setClockOffset, setRate, TEST_CHAIN, type TestPartner, testChains } from "#testing/factories.ts";
import { approveSettlement } from "./approve-settlement.ts";
import { bringOutbox } from "./bring-outbox.ts";
import { cancelSettlement } from "./cancel-settlement.ts";
import { confirmSettlement } from "./confirm-settlement.ts";
import { createSettlement } from "./create-settlement.ts";
import { executeSettlements } from "./execute-settlement.ts";
import { failSettlement } from "./fail-settlement.ts";
import { listSettlements } from "./list-settlements.ts";
import { readSettlement } from "./read-settlement.ts";
import { rejectOverdueSettlements } from "./reject-overdue-settlements.ts";
import { rejectSettlement } from "./reject-settlement.ts";

const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const URL_A = "http://localhost:9/a";
const URL_B = "http://localhost:9/b";
const ADMIN = { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000000" }, requestId: "req_test" } as const;
const UP_TO_MAXIMUM = 100_000_000n;
const ABOVE_MAXIMUM = 100_000_001n;

let database: TestDatabase;
let partner: TestPartner;
let other: TestPartner;
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
  partner = await addPartner(database.db);
  other = await addPartner(database.db);
  await addTerms(database.db);
});
beforeEach(async () => {
  await setRate(database.db, "0.0077");
  await setClockOffset(database.db, 0);
});
afterAll(async () => {
  // Here nothing is sent: settlements are executed and failed by the test's own word.
  await expectCleanAudit({ db: database.db }, { without: ["executed_was_paid_once", "unexecuted_was_not_paid"] });
  await database.close();
});

async function create(values: { amount?: bigint; callbackUrl?: string | null; by?: TestPartner } = {}): Promise<Settlement> {
  return await createSettlement(ctx, {
    ...(values.by ?? partner),
    sourceAmountMinor: values.amount ?? 1_000_000n,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId: "merchant-1",
    chain: TEST_CHAIN.chain,
    walletAddress: WALLET,
    callbackUrl: values.callbackUrl ?? null,
  });
}

let references = 0;
async function confirm(settlement: Settlement, values: { externalTxId?: string; callbackUrl?: string | null; expected?: string } = {}) {
  references += 1;
  const confirmed = await confirmSettlement(ctx, {
    partnerId: partner.partnerId,
    by: partner.by,
    id: settlement.id,
    externalTxId: values.externalTxId ?? `ref-${references}`,
    callbackUrl: values.callbackUrl === undefined ? URL_A : values.callbackUrl,
    expectedDestinationAmount: values.expected === undefined ? null : decimal(values.expected),
  });
  return confirmed.settlement;
}

const approve = (settlement: Settlement, expected: string | null = null) =>
  approveSettlement(ctx, {
    by: ADMIN,
    id: settlement.id,
    note: null,
    expectedExchangeRate: expected === null ? null : decimal(expected),
  });
const reject = (settlement: Settlement) => rejectSettlement(ctx, { by: ADMIN, id: settlement.id, reason: "Looks wrong to us" });
const cancel = async (settlement: Settlement, by = partner) =>
  (await cancelSettlement(ctx, { partnerId: by.partnerId, by: by.by, id: settlement.id })).settlement;
const read = (settlement: Settlement) => readSettlement(ctx, { partnerId: partner.partnerId, id: settlement.id });
const callbacksOf = (settlement: Settlement) => database.db.select().from(callbacks).where(eq(callbacks.subjectId, settlement.id));
/** On Citus a worker brings entries, events and payments from their nodes. */
const bring = () => bringOutbox({ db: database.db });
const transfersOf = async (settlement: Settlement) => {
  await bring();
  return await database.db.select().from(transfers).where(eq(transfers.ownerId, settlement.id));
};
const codeOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => "done",
    (error: unknown) => {
      if (isRefusal(error)) return error.code;
      throw error;
    },
  );
const newestFirst = (left: Settlement, right: Settlement) =>
  right.createdAt.getTime() - left.createdAt.getTime() || (right.id < left.id ? -1 : 1);
/** The stored row, which a refused action must not change. */
const untouched = async (settlement: Settlement, work: () => Promise<unknown>): Promise<string> => {
  const before = await read(settlement);
  const code = await codeOf(work());
  expect(await read(settlement)).toEqual(before);
  return code;
};

describe("creating", () => {
  test("quotes from the published rate, the fee taken off, valid for the pair's lifetime", async () => {
    const settlement = await create();
    expect(settlement).toMatchObject({ status: "quoted", approvalState: null, externalTxId: null, callbackUrl: null });
    expect(formatDecimal(settlement.quote.exchangeRate)).toBe("0.0077");
    expect(settlement.quote.grossBase).toBe(77_000_000n);
    expect(settlement.quote.platformFeeBase).toBe(500_000n);
    expect(settlement.quote.destinationAmountBase).toBe(76_500_000n);
    expect(settlement.quote.expiresAt.getTime() - settlement.createdAt.getTime()).toBe(300_000);
    expect(await read(settlement)).toEqual(settlement);
  });

  test("awaits approval strictly above the pair's maximum, not at it", async () => {
    expect((await create({ amount: UP_TO_MAXIMUM })).approvalState).toBeNull();
    expect((await create({ amount: ABOVE_MAXIMUM })).approvalState).toBe("pending");
  });

  test("refuses less than the minimum, what the fee eats up, and a wallet of the chain's contracts", async () => {
    expect(await codeOf(create({ amount: 99n }))).toBe("amount_too_small");
    expect(await codeOf(create({ amount: 6_000n }))).toBe("amount_too_small");
    const toContract = createSettlement(ctx, {
      ...partner,
      sourceAmountMinor: 1_000_000n,
      sourceCurrency: "KES",
      destinationCurrency: "USDT",
      externalMerchantId: "m",
      chain: TEST_CHAIN.chain,
      walletAddress: TEST_CHAIN.tokens[1]?.address ?? "",
      callbackUrl: null,
    });
    expect(await codeOf(toContract)).toBe("invalid_wallet_address");
  });

  test("owes no callback and no transfer yet, and is audited", async () => {
    const settlement = await create({ callbackUrl: URL_A });
    expect(await callbacksOf(settlement)).toEqual([]);
    expect(await transfersOf(settlement)).toEqual([]);
    const audit = await database.db.select().from(auditEntries).where(eq(auditEntries.objectId, settlement.id));
    expect(audit.map((entry) => entry.action)).toEqual(["settlement.created"]);
  });
});

describe("confirming", () => {
  test("owes exactly the quoted amount to the wallet, once", async () => {
    const settlement = await create();
    const confirmed = await confirm(settlement, { externalTxId: "pay-1", expected: "76.5" });
    expect(confirmed).toMatchObject({ status: "processing", externalTxId: "pay-1", callbackUrl: URL_A });
    expect(confirmed.confirmedAt).not.toBeNull();
    expect(await transfersOf(settlement)).toMatchObject([
      { purpose: "settlement", amountBase: 76_500_000n, recipient: WALLET, tokenDecimals: 6, state: "queued" },
    ]);
  });

  test("answers a repeat with the settlement's present state, and other values with a conflict", async () => {
    const settlement = await create();
    const first = await confirm(settlement, { externalTxId: "pay-2" });
    expect(await confirm(settlement, { externalTxId: "pay-2" })).toEqual(first);
    expect(await confirm(settlement, { externalTxId: "pay-2", expected: "1" })).toEqual(first);
    expect(await codeOf(confirm(settlement, { externalTxId: "pay-2b" }))).toBe("external_tx_id_conflict");
    expect(await codeOf(confirm(settlement, { externalTxId: "pay-2", callbackUrl: URL_B }))).toBe("invalid_state");
    await bring();
    await executeSettlements(database.db, [{ settlementId: settlement.id, txHash: "0xabc" }]);
    expect(await confirm(settlement, { externalTxId: "pay-2" })).toMatchObject({ status: "executed", txHash: "0xabc" });
    expect(await transfersOf(settlement)).toHaveLength(1);
  });

  test("inherits the URL given at creation, and needs one of the two", async () => {
    const inherited = await create({ callbackUrl: URL_B });
    expect((await confirm(inherited, { callbackUrl: null })).callbackUrl).toBe(URL_B);
    expect(await codeOf(confirm(await create(), { callbackUrl: null }))).toBe("validation_failed");
  });

  test("is refused from the very instant of expiry, and allowed the millisecond before", async () => {
    const settlement = await create();
    const left = settlement.quote.expiresAt.getTime() - Date.now();
    await setClockOffset(database.db, left + 5);
    expect(await untouched(settlement, () => confirm(settlement))).toBe("quote_expired");
    await setClockOffset(database.db, left - 5_000);
    expect(await codeOf(confirm(settlement))).toBe("done");
  });

  test("is refused while approval is pending, whether or not the quote has run out", async () => {
    const settlement = await create({ amount: ABOVE_MAXIMUM });
    expect(await untouched(settlement, () => confirm(settlement))).toBe("approval_pending");
    await setClockOffset(database.db, 3_600_000);
    expect(await untouched(settlement, () => confirm(settlement))).toBe("approval_pending");
  });

  test("refuses another expected amount, a reference of another settlement, and judges them in that order", async () => {
    const [first, second] = [await create(), await create()];
    await confirm(first, { externalTxId: "pay-3" });
    expect(await untouched(second, () => confirm(second, { externalTxId: "pay-3", expected: "76.4" }))).toBe("quote_changed");
    const members = { current_destination_amount: 76.5 };
    await expect(confirm(second, { expected: "76.4" })).rejects.toMatchObject({ particulars: { members } });
    expect(await untouched(second, () => confirm(second, { externalTxId: "pay-3" }))).toBe("external_tx_id_conflict");
    expect(await transfersOf(second)).toEqual([]);
    await setClockOffset(database.db, 3_600_000);
    expect(await untouched(second, () => confirm(second, { externalTxId: "pay-3" }))).toBe("quote_expired");
  });

  test("lets two partners use the same reference, and finds no foreign settlement", async () => {
    const foreign = await create({ by: other });
    expect(await codeOf(confirm(foreign))).toBe("settlement_not_found");
    expect(await codeOf(cancel(foreign))).toBe("settlement_not_found");
    expect(await codeOf(read(foreign))).toBe("settlement_not_found");
    const mine = await create();
    await confirm(mine, { externalTxId: "pay-4" });
    const theirs = confirmSettlement(ctx, {
      ...other,
      id: foreign.id,
      externalTxId: "pay-4",
      callbackUrl: URL_A,
      expectedDestinationAmount: null,
    });
    expect(await codeOf(theirs)).toBe("done");
  });

  test("gives a reference to exactly one of many settlements that race for it", async () => {
    for (let time = 0; time < 8; time += 1) {
      const settlements = await Promise.all(Array.from({ length: 8 }, () => create()));
      const codes = await Promise.all(settlements.map((each) => codeOf(confirm(each, { externalTxId: `race-${time}` }))));
      expect(codes.toSorted()).toEqual(["done", ...Array<string>(7).fill("external_tx_id_conflict")]);
    }
  });
});

describe("cancelling", () => {
  test("ends a quoted settlement in any approval state, and may be repeated", async () => {
    const settlement = await create({ amount: ABOVE_MAXIMUM });
    const cancelled = await cancel(settlement);
    expect(cancelled).toMatchObject({ status: "cancelled", approvalState: "pending", rejectionReason: null });
    expect(await cancel(settlement)).toEqual(cancelled);
    expect(await untouched(settlement, () => confirm(settlement))).toBe("invalid_state");
    expect(await untouched(settlement, () => approve(settlement))).toBe("invalid_state");
  });

  test("is refused once confirmed, and works after the quote has lapsed", async () => {
    const confirmed = await create();
    await confirm(confirmed);
    expect(await untouched(confirmed, () => cancel(confirmed))).toBe("invalid_state");
    const lapsed = await create();
    await setClockOffset(database.db, 3_600_000);
    expect((await cancel(lapsed)).status).toBe("cancelled");
  });
});

describe("approving and rejecting", () => {
  test("re-prices at the current rate, refreshes the expiry, keeps both prices and owes the approval callback", async () => {
    const settlement = await create({ amount: ABOVE_MAXIMUM, callbackUrl: URL_A });
    await setClockOffset(database.db, 3_600_000);
    await setRate(database.db, "0.0078");
    const approved = await approve(settlement);
    expect(approved).toMatchObject({ status: "quoted", approvalState: "approved" });
    expect(formatDecimal(approved.quote.exchangeRate)).toBe("0.0078");
    expect(approved.quote.expiresAt.getTime() - (approved.approvalDecidedAt?.getTime() ?? 0)).toBe(1_800_000);
    const versions = await database.db
      .select()
      .from(settlementQuotes)
      .where(eq(settlementQuotes.settlementId, settlement.id))
      .orderBy(settlementQuotes.version);
    expect(versions.map((quote) => [quote.version, formatDecimal(quote.exchangeRate)])).toEqual([
      [1, "0.0077"],
      [2, "0.0078"],
    ]);
    const [callback, ...more] = await callbacksOf(settlement);
    expect(more).toEqual([]);
    expect(callback).toMatchObject({ event: "settlement.approved", url: URL_A, state: "pending" });
    expect(JSON.parse(callback?.body ?? "")).toEqual({
      tx_id: settlement.id,
      external_tx_id: null,
      event: "settlement.approved",
      status: "approved",
      chain: TEST_CHAIN.chain,
      source_amount: 100_000_001,
      destination_amount: 7_799.500078,
      platform_fee: 0.5,
      expires_at: approved.quote.expiresAt.toISOString(),
    });
    expect((await confirm(settlement)).status).toBe("processing");
  });

  test("sends no approval callback without a URL from creation, and none for a rejection", async () => {
    const silent = await create({ amount: ABOVE_MAXIMUM });
    await approve(silent);
    expect(await callbacksOf(silent)).toEqual([]);
    const rejected = await create({ amount: ABOVE_MAXIMUM, callbackUrl: URL_A });
    expect(await reject(rejected)).toMatchObject({ status: "cancelled", approvalState: "rejected", rejectionReason: "Looks wrong to us" });
    expect(await callbacksOf(rejected)).toEqual([]);
    const logged = await database.db.select().from(auditEntries).where(eq(auditEntries.objectId, rejected.id));
    expect(logged.filter(({ action }) => action === "settlement.rejected")).toMatchObject([{ reason: "Looks wrong to us" }]);
    expect((await cancel(rejected)).approvalState).toBe("rejected");
  });

  test("changes nothing without a fresh rate, or when the rate moved beyond the tolerance", async () => {
    const settlement = await create({ amount: ABOVE_MAXIMUM });
    await setRate(database.db, "0.0077077");
    expect(await codeOf(approve(await create({ amount: ABOVE_MAXIMUM }), "0.0077"))).toBe("done");
    await setRate(database.db, "0.00770771");
    expect(await untouched(settlement, () => approve(settlement, "0.0077"))).toBe("rate_moved");
    await expect(approve(settlement, "0.0077")).rejects.toMatchObject({ particulars: { members: { current_exchange_rate: 0.00770771 } } });
    await database.sql`delete from exchange_rates`;
    expect(await untouched(settlement, () => approve(settlement))).toBe("rate_unavailable");
    expect(await callbacksOf(settlement)).toEqual([]);
  });

  test("is refused for an ordinary settlement and for one that was decided", async () => {
    expect(await codeOf(approve(await create()))).toBe("invalid_state");
    expect(await codeOf(reject(await create()))).toBe("invalid_state");
    const settlement = await create({ amount: ABOVE_MAXIMUM });
    await approve(settlement);
    expect(await untouched(settlement, () => approve(settlement))).toBe("invalid_state");
    expect(await untouched(settlement, () => reject(settlement))).toBe("invalid_state");
  });

  test("of many who decide at once exactly one wins", async () => {
    for (let pass = 0; pass < 5; pass += 1) {
      const settlement = await create({ amount: ABOVE_MAXIMUM, callbackUrl: URL_A });
      const codes = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => codeOf(n % 2 === 0 ? approve(settlement) : reject(settlement))));
      expect(codes.toSorted()).toEqual(["done", ...Array<string>(5).fill("invalid_state")]);
      const after = await read(settlement);
      expect(await callbacksOf(settlement)).toHaveLength(after.approvalState === "approved" ? 1 : 0);
      const decisions = await database.db.select().from(auditEntries).where(eq(auditEntries.objectId, settlement.id));
      expect(decisions).toHaveLength(2);
    }
  });

  test("the system rejects what was left pending for seven days, and nothing younger", async () => {
    const settlement = await create({ amount: ABOVE_MAXIMUM });
    await setClockOffset(database.db, 7 * 86_400_000 - 60_000);
    await rejectOverdueSettlements(ctx);
    expect((await read(settlement)).approvalState).toBe("pending");
    await setClockOffset(database.db, 7 * 86_400_000 + 1_000);
    expect(await rejectOverdueSettlements(ctx)).toBeGreaterThanOrEqual(1);
    const rejected = await read(settlement);
    expect(rejected).toMatchObject({ status: "cancelled", approvalState: "rejected" });
    const audit = await database.db.select().from(auditEntries).where(eq(auditEntries.objectId, settlement.id));
    expect(audit).toContainEqual(expect.objectContaining({ action: "settlement.rejected", actorType: "system" }));
  });
});

describe("ending", () => {
  test("owes exactly one terminal callback with the specification's fields, executed or failed", async () => {
    const paid = await create({ callbackUrl: URL_B });
    await confirm(paid, { externalTxId: "end-1" });
    await bring();
    await executeSettlements(database.db, [{ settlementId: paid.id, txHash: "0xfeed" }]);
    const [executed, ...more] = await callbacksOf(paid);
    expect(more).toEqual([]);
    expect(executed).toMatchObject({ event: "settlement.executed", url: URL_A });
    expect(JSON.parse(executed?.body ?? "")).toEqual({
      tx_id: paid.id,
      external_tx_id: "end-1",
      status: "executed",
      tx_hash: "0xfeed",
      chain: TEST_CHAIN.chain,
      destination_amount: 76.5,
      platform_fee: 0.5,
      executed_at: (await read(paid)).executedAt?.toISOString(),
    });
    const unpaid = await create();
    await confirm(unpaid, { externalTxId: "end-2" });
    await bring();
    await failSettlement(database.db, { settlementId: unpaid.id, reason: "The token refuses this wallet." });
    const [failed] = await callbacksOf(unpaid);
    expect(JSON.parse(failed?.body ?? "")).toMatchObject({ status: "failed", failure_reason: "The token refuses this wallet." });
    expect(JSON.parse(failed?.body ?? "")).not.toHaveProperty("tx_hash");
    expect(await codeOf(executeSettlements(database.db, [{ settlementId: unpaid.id, txHash: "0x1" }]))).toBe("invalid_state");
  });
});

describe("histories", () => {
  test("whatever many clients do to one settlement at once, the outcome is a legal one and only one of them", async () => {
    for (let pass = 0; pass < 12; pass += 1) {
      const settlement = await create({ amount: pass % 2 === 0 ? ABOVE_MAXIMUM : 1_000_000n, callbackUrl: URL_A });
      const actions = [confirm, cancel, approve, reject, confirm, cancel].map((permission) => codeOf(permission(settlement)));
      const codes = await Promise.all(actions);
      const after = await read(settlement);
      const owed = await transfersOf(settlement);
      expect(owed).toHaveLength(after.status === "processing" ? 1 : 0);
      const sent = await callbacksOf(settlement);
      expect(sent).toHaveLength(after.approvalState === "approved" ? 1 : 0);
      expect(codes.filter((code) => code === "done").length).toBeGreaterThanOrEqual(1);
      const trail = await database.db.select().from(auditEntries).where(eq(auditEntries.objectId, settlement.id));
      expect(trail.map((entry) => entry.change)).toContainEqual(
        expect.objectContaining({ status: after.status, approval_state: after.approvalState }),
      );
      // Created, then at most approved and one more: a second end is impossible.
      expect(trail).toHaveLength(1 + (after.approvalState === "approved" ? 1 : 0) + (after.status === "quoted" ? 0 : 1));
    }
  });
});

describe("listing", () => {
  test("pages neither skip nor repeat while settlements arrive, newest first, the partner's own only", async () => {
    const lister = await addPartner(database.db);
    // Of five created at the same instant, the ids decide the order.
    const made = await Promise.all(Array.from({ length: 5 }, () => create({ by: lister })));
    const createdAt = new Date(Math.min(...made.map((each) => each.createdAt.getTime())));
    await database.sql`update settlements set created_at = ${createdAt.toISOString()} where partner_id = ${lister.partnerId}`;
    const together = made.map((each) => ({ ...each, createdAt }));
    const mine = [...together, await create({ by: lister }), await create({ by: lister })].toSorted(newestFirst).map(({ id }) => id);
    const seen: string[] = [];
    const filter = { partnerId: lister.partnerId };
    let position: Parameters<typeof listSettlements>[1]["position"] = null;
    do {
      const page = await listSettlements(ctx, { filter, limit: 3, position, direction: "older" });
      seen.push(...page.items.map((each) => each.id));
      position = page.older;
      await create({ by: lister });
    } while (position !== null);
    expect(seen).toEqual(mine);
  });

  test("filters by every documented property", async () => {
    const lister = await addPartner(database.db);
    const settlement = await create({ by: lister, amount: ABOVE_MAXIMUM });
    const count = async (filter: object) =>
      (await listSettlements(ctx, { filter: { partnerId: lister.partnerId, ...filter }, limit: 10, position: null, direction: "older" }))
        .items.length;
    const hits = [
      { status: "quoted" },
      { approvalState: "pending" },
      { externalMerchantId: "merchant-1" },
      { chain: TEST_CHAIN.chain },
      { createdFrom: settlement.createdAt },
      { createdTo: new Date(settlement.createdAt.getTime() + 1) },
    ];
    for (const filter of hits) expect([filter, await count(filter)]).toEqual([filter, 1]);
    const misses = [
      { status: "executed" },
      { approvalState: "approved" },
      { externalMerchantId: "merchant-2" },
      { externalTxId: "none" },
      { chain: "eip155:1" },
      { createdFrom: new Date(settlement.createdAt.getTime() + 1) },
      { createdTo: settlement.createdAt },
    ];
    for (const filter of misses) expect([filter, await count(filter)]).toEqual([filter, 0]);
  });
});
