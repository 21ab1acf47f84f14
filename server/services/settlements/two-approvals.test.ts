import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type By, SYSTEM } from "#domain/access.ts";
import { decimal } from "#domain/decimal.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { RiskHintKind } from "#domain/risk-hint.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { setPairTerms } from "#server/services/rates/change-terms.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setRate, TEST_CHAIN, type TestPartner, testChains } from "#testing/factories.ts";
import { addOperatorKey, addProvenPerson, justProven, longProven } from "#testing/people.ts";
import { approveSettlement } from "./approve-settlement.ts";
import { approveSettlements } from "./approve-settlements.ts";
import { bringOutbox } from "./bring-outbox.ts";
import { cancelSettlement } from "./cancel-settlement.ts";
import { createSettlement } from "./create-settlement.ts";
import { countApprovalQueue, listApprovals, listOwnDecisions } from "./list-approvals.ts";
import { readRiskHints } from "./read-risk-hints.ts";
import { readSettlement } from "./read-settlement.ts";
import { rejectSettlement } from "./reject-settlement.ts";

/** Maker–checker: above the second threshold two different people, each once, and nothing happens before the second. */

const MAXIMUM = 100_000_000n;
const TWO_ABOVE = 500_000_000n;

const people: By[] = [];
/** A new approver each time, with a fresh step-up. */
function person(): By {
  const by = people.pop();
  if (by === undefined) throw new Error("there are no more people");
  return by;
}
const idOf = (by: By) => (by.actor.type === "user" ? by.actor.userId : "");
const keyOf = (maker: By | null) => addOperatorKey(database.db, maker && idOf(maker));

let database: TestDatabase;
let partner: TestPartner;
let ctx: Uses<"db" | "clock" | "chains" | "policy" | "mode">;

beforeAll(async () => {
  database = await createTestDatabase();
  ctx = {
    db: database.db,
    clock: { now: () => new Date() },
    chains: testChains,
    policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 },
    mode: "sandbox",
  };
  partner = await addPartner(database.db);
  for (let each = 0; each < 120; each += 1) people.push((await addProvenPerson(database.db, "approver")).by);
  await addTerms(database.db, { maximumSourceMinor: MAXIMUM, twoApprovalsAboveMinor: TWO_ABOVE });
});
beforeEach(() => setRate(database.db, "0.0077"));
afterAll(async () => {
  await expectCleanAudit({ db: database.db }, { without: ["executed_was_paid_once", "unexecuted_was_not_paid"] });
  await database.close();
});

const create = (amount = TWO_ABOVE + 1n, sourceCurrency = "KES") =>
  createSettlement(ctx, {
    ...partner,
    sourceAmountMinor: amount,
    sourceCurrency,
    destinationCurrency: "USDT",
    externalMerchantId: "merchant",
    chain: TEST_CHAIN.chain,
    walletAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    callbackUrl: "http://localhost:9/a",
  });
const approve = ({ id }: Settlement, by: By, expected: string | null = null) =>
  approveSettlement(ctx, { by, id, note: "looks right", expectedExchangeRate: expected === null ? null : decimal(expected) });
const approveIn = (mode: "live", { id }: Settlement, by: By) =>
  approveSettlement({ ...ctx, mode }, { by, id, note: null, expectedExchangeRate: null });
const find = ({ id }: Settlement) => readSettlement(ctx, { partnerId: partner.partnerId, id });
const count = async (table: string, column: string, { id }: Settlement) =>
  Number((await database.sql`select count(*) from ${database.sql(table)} where ${database.sql(column)} = ${id}`)[0]?.count);
const actionsOf = async ({ id }: Settlement) => {
  // On Citus a worker brings the first entry from its node.
  await bringOutbox({ db: database.db });
  const rows = await database.sql<{ action: string }[]>`select action from audit_entries where object_id = ${id} order by id`;
  return rows.map(({ action }) => action);
};

/** What came of each, `ok` or the refusal's code. */
async function codesOf(work: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(work);
  return settled
    .map((each) => (each.status === "fulfilled" ? "ok" : isRefusal(each.reason) ? each.reason.code : String(each.reason)))
    .sort();
}

describe("above the second threshold", () => {
  test("the first approval is written down and changes nothing; the second re-prices, refreshes and owes the callback", async () => {
    const settlement = await create();
    const before = await find(settlement);
    await setRate(database.db, "0.0079");
    expect(await approve(settlement, person())).toEqual(settlement);
    expect(await find(settlement)).toEqual(before);
    expect(await count("callbacks", "subject_id", settlement)).toBe(0);
    expect(await actionsOf(settlement)).toEqual(["settlement.created", "settlement.approval_recorded"]);
    const [entry] =
      await database.sql`select partner_id, change from audit_entries where object_id = ${settlement.id} and action = 'settlement.approval_recorded'`;
    expect(entry).toEqual({ partner_id: null, change: { approvals_given: 1, approvals_needed: 2 } });

    const approved = await approve(settlement, person());
    expect(approved).toMatchObject({ status: "quoted", approvalState: "approved", quote: { version: 2, exchangeRate: decimal("0.0079") } });
    expect(await count("callbacks", "subject_id", settlement)).toBe(1);
    expect(await count("settlement_approvals", "settlement_id", settlement)).toBe(2);
  });

  test("a person counts once, however often they say so; a key counts as the person who made it, or as who runs the machine", async () => {
    const settlement = await create();
    const ana = person();
    await approve(settlement, ana);
    await expect(approve(settlement, ana)).rejects.toMatchObject({ code: "same_approver" });
    await expect(approve(settlement, await keyOf(ana))).rejects.toMatchObject({ code: "same_approver" });
    expect((await find(settlement)).approvalState).toBe("pending");
    expect((await approve(settlement, person())).approvalState).toBe("approved");
    await expect(approve(settlement, ana)).rejects.toMatchObject({ code: "invalid_state" });

    const other = await create();
    const [robot, sister] = [await keyOf(ana), await keyOf(ana)];
    await approve(other, robot);
    for (const by of [robot, sister, ana]) await expect(approve(other, by)).rejects.toMatchObject({ code: "same_approver" });
    expect((await approve(other, person())).approvalState).toBe("approved");

    const third = await create();
    await approve(third, await keyOf(null));
    await expect(approve(third, await keyOf(null))).rejects.toMatchObject({ code: "same_approver" });
    expect((await approve(third, ana)).approvalState).toBe("approved");
  });

  test("the second yes is a person's, never a key's, whosever it is; what was refused is not written down", async () => {
    const settlement = await create();
    await approve(settlement, person());
    for (const maker of [null, person()])
      await expect(approve(settlement, await keyOf(maker))).rejects.toMatchObject({ code: "same_approver" });
    expect(await count("settlement_approvals", "settlement_id", settlement)).toBe(1);
    expect((await approve(settlement, person())).approvalState).toBe("approved");
  });

  test("each person has proven within five minutes who they are, for a yes and for a no; the second one by a code", async () => {
    const settlement = await create();
    const stale = { at: new Date(Date.now() - 5 * 60_000), byCode: true };
    const byPassword = { at: new Date(), byCode: false };
    for (const proof of [null, stale]) {
      await expect(approve(settlement, { ...person(), proof })).rejects.toMatchObject({ code: "step_up_required" });
      const no = rejectSettlement(ctx, { by: { ...person(), proof }, id: settlement.id, reason: "not this one" });
      await expect(no).rejects.toMatchObject({ code: "step_up_required" });
    }
    expect(await find(settlement)).toEqual(settlement);
    await approve(settlement, { ...person(), proof: byPassword });
    for (const proof of [null, stale, byPassword])
      await expect(approve(settlement, { ...person(), proof })).rejects.toMatchObject({ code: "step_up_required" });
    expect((await find(settlement)).approvalState).toBe("pending");
    // In the sandbox the password is enough for a person without a second factor; not in live mode.
    const plain = (await addProvenPerson(database.db, "approver", { sealedTotpSecret: null })).by;
    const live = approveIn("live", settlement, { ...plain, proof: byPassword });
    await expect(live).rejects.toMatchObject({ code: "step_up_required" });
    expect((await approve(settlement, { ...plain, proof: byPassword })).approvalState).toBe("approved");
  });

  test("what one person may decide needs it as well, yes or no, one or many; a key needs none", async () => {
    const small = await create(MAXIMUM + 1n);
    for (const proof of [null, longProven()]) {
      const by = { ...person(), proof };
      await expect(approve(small, by)).rejects.toMatchObject({ code: "step_up_required" });
      const no = rejectSettlement(ctx, { by, id: small.id, reason: "not this one" });
      await expect(no).rejects.toMatchObject({ code: "step_up_required" });
      const items = [{ id: small.id, expectedExchangeRate: decimal("0.0077") }];
      await expect(approveSettlements(ctx, { by, items })).rejects.toMatchObject({ code: "step_up_required" });
    }
    expect(await find(small)).toEqual(small);
    expect((await approve(small, { ...person(), proof: justProven() })).approvalState).toBe("approved");
    expect((await approve(await create(MAXIMUM + 1n), await keyOf(null))).approvalState).toBe("approved");
  });

  test("in live mode nobody counts who is younger than a day, person or key; in the sandbox age is not asked for", async () => {
    const settlement = await create();
    const justNow = { createdAt: new Date(Date.now() - 86_000_000) };
    const young = (await addProvenPerson(database.db, "admin", justNow)).by;
    const old = person();
    for (const by of [young, await keyOf(young), await addOperatorKey(database.db, idOf(old), justNow)])
      await expect(approveIn("live", settlement, by)).rejects.toMatchObject({ code: "same_approver" });
    await approveIn("live", settlement, await keyOf(old));
    await expect(approveIn("live", settlement, young)).rejects.toMatchObject({ code: "same_approver" });
    expect((await approve(settlement, young)).approvalState).toBe("approved");
  });

  test("of one person's two clicks at the same instant one counts; two people's at the same instant both do, the later decides", async () => {
    for (let pass = 0; pass < 5; pass += 1) {
      const once = await create();
      const ana = person();
      expect(await codesOf([approve(once, ana), approve(once, ana), approve(once, ana)])).toEqual(["ok", "same_approver", "same_approver"]);
      expect((await find(once)).approvalState).toBe("pending");
      const both = await create();
      expect(await codesOf([approve(both, person()), approve(both, person()), approve(both, person())])).toEqual([
        "invalid_state",
        "ok",
        "ok",
      ]);
      expect((await find(both)).approvalState).toBe("approved");
      expect(await count("callbacks", "subject_id", both)).toBe(1);
      expect(await count("settlement_quotes", "settlement_id", both)).toBe(2);
    }
  });

  test("one no is enough, also after a first yes and also from the one who gave it; with a yes at the same instant one of them wins", async () => {
    const settlement = await create();
    const ana = person();
    await approve(settlement, ana);
    const rejected = await rejectSettlement(ctx, { by: ana, id: settlement.id, reason: "on second thoughts" });
    expect(rejected).toMatchObject({ status: "cancelled", approvalState: "rejected" });
    await expect(approve(settlement, person())).rejects.toMatchObject({ code: "invalid_state" });
    for (let pass = 0; pass < 5; pass += 1) {
      const raced = await create();
      await approve(raced, person());
      const outcome = await codesOf([
        approve(raced, person()),
        rejectSettlement(ctx, { by: person(), id: raced.id, reason: "not this one" }),
      ]);
      expect(outcome).toEqual(["invalid_state", "ok"]);
      const now = await find(raced);
      expect(await count("callbacks", "subject_id", raced)).toBe(now.approvalState === "approved" ? 1 : 0);
    }
  });

  test("a first yes and a no at once leave it rejected, whichever came first", async () => {
    for (let pass = 0; pass < 5; pass += 1) {
      const raced = await create();
      const outcome = await codesOf([
        approve(raced, person()),
        rejectSettlement(ctx, { by: person(), id: raced.id, reason: "not this one" }),
      ]);
      expect([
        ["ok", "ok"],
        ["invalid_state", "ok"],
      ]).toContainEqual(outcome);
      expect(await find(raced)).toMatchObject({ status: "cancelled", approvalState: "rejected" });
    }
  });

  test("the partner may still cancel after the first yes", async () => {
    const settlement = await create();
    await approve(settlement, person());
    const cancelled = await cancelSettlement(ctx, { partnerId: partner.partnerId, by: partner.by, id: settlement.id });
    expect(cancelled.settlement).toMatchObject({ status: "cancelled", approvalState: "pending" });
    await expect(approve(settlement, person())).rejects.toMatchObject({ code: "invalid_state" });
  });

  test("neither yes is given on a price that moved or is not there, and then nothing is written down", async () => {
    const settlement = await create();
    await expect(approve(settlement, person(), "0.0076")).rejects.toMatchObject({
      code: "rate_moved",
      message: expect.stringContaining("+131"),
    });
    await database.sql`update exchange_rates set stale_at = now() - interval '1 minute'`;
    await expect(approve(settlement, person())).rejects.toMatchObject({ code: "rate_unavailable" });
    expect(await count("settlement_approvals", "settlement_id", settlement)).toBe(0);
    await setRate(database.db, "0.0077");
    await approve(settlement, person(), "0.0077");
    await expect(approve(settlement, person(), "0.0076")).rejects.toMatchObject({ code: "rate_moved" });
    expect(await count("settlement_approvals", "settlement_id", settlement)).toBe(1);
  });

  test("no other person's yes counts, and no yes ever changes", async () => {
    const settlement = await create();
    await expect(approve(settlement, partner.by)).rejects.toMatchObject({ code: "forbidden" });
    await expect(approve(settlement, SYSTEM)).rejects.toMatchObject({ code: "forbidden" });
    await approve(settlement, person());
    await expect(database.sql`delete from settlement_approvals`).rejects.toThrow(/append only|permission denied/);
    await expect(database.sql`update settlement_approvals set note = 'x'`).rejects.toThrow(/append only|permission denied/);
  });
});

describe("the threshold", () => {
  test("is strictly above, and at or below it one approval is enough", async () => {
    const settlement = await create(TWO_ABOVE);
    expect((await approve(settlement, person())).approvalState).toBe("approved");
  });

  test("is that of the terms a settlement was quoted under, whatever they become", async () => {
    await setRate(database.db, "0.02", { sourceCurrency: "PHP", destinationCurrency: "USDT" });
    await addTerms(database.db, { sourceCurrency: "PHP", maximumSourceMinor: MAXIMUM, twoApprovalsAboveMinor: TWO_ABOVE });
    const strict = await create(TWO_ABOVE + 1n, "PHP");
    const owner = { sourceCurrency: "PHP", destinationCurrency: "USDT", chain: TEST_CHAIN.chain, partnerId: null };
    const admin: By = {
      actor: { type: "user", userId: randomUUID(), role: "admin", partnerId: null },
      requestId: null,
      proof: justProven(),
    };
    const terms = {
      enabled: true,
      spreadBps: 0,
      platformFeeBase: 500_000n,
      minimumSourceMinor: 100n,
      maximumSourceMinor: MAXIMUM,
      twoApprovalsAboveMinor: null,
      batchMaximumSourceMinor: null,
      quoteLifetimeSeconds: 300,
      approvedLifetimeSeconds: 1_800,
    };
    const eased = await setPairTerms(ctx, { by: admin, owner, terms, expectedVersion: 1, reason: null });
    expect(eased.version).toMatchObject({ twoApprovalsAboveMinor: null });
    const easy = await create(TWO_ABOVE + 1n, "PHP");
    expect((await approve(strict, person())).approvalState).toBe("pending");
    expect((await approve(easy, person())).approvalState).toBe("approved");
    expect((await approve(strict, person())).approvalState).toBe("approved");
  });
});

describe("the queue", () => {
  test("shows who has said yes and what is still needed, and what I decided", async () => {
    const ana = person();
    const userId = ana.actor.type === "user" ? ana.actor.userId : "";
    const [big, small] = [await create(), await create(MAXIMUM + 1n)];
    await approve(big, ana);
    const { items } = await listApprovals(ctx);
    const of = ({ id }: Settlement) => items.find(({ settlement }) => settlement.id === id)?.preview;
    expect(of(big)).toMatchObject({ needed: 2, approvals: [{ decider: { type: "user", id: userId }, note: "looks right" }] });
    expect(of(small)).toMatchObject({ needed: 1, approvals: [], rule: { maximumSourceMinor: MAXIMUM, twoApprovalsAboveMinor: TWO_ABOVE } });
    await approve(small, ana);
    expect(await listOwnDecisions(ctx, userId)).toMatchObject([
      { settlement: { id: small.id }, decision: { action: "settlement.approved" } },
      { settlement: { id: big.id }, decision: { action: "settlement.approval_recorded" } },
    ]);
    const counted = await countApprovalQueue(ctx, userId);
    expect(counted).toMatchObject({ second: expect.any(Number), others: 1, decided: 2 });
    // It waits for somebody else: only for whom it does, and only until then.
    expect(await countApprovalQueue(ctx, idOf(person()))).toMatchObject({ second: counted.second, others: 0 });
    await approve(big, person());
    expect(await countApprovalQueue(ctx, userId)).toMatchObject({ second: counted.second - 1, others: 0 });
  });

  test("says what waits for the same merchant together, in each currency and until it is decided", async () => {
    const of = async ({ id }: Settlement) =>
      (await listApprovals(ctx)).items.find(({ settlement }) => settlement.id === id)?.preview.together;
    const before = await create(MAXIMUM + 1n);
    const alone = await of(before);
    const second = await create(MAXIMUM + 2n);
    const waiting = alone ?? { count: 1, sumMinor: MAXIMUM + 1n };
    expect(await of(before)).toMatchObject({ count: waiting.count + 1, sumMinor: waiting.sumMinor + MAXIMUM + 2n });
    expect(await of(second)).toEqual(await of(before));
    await approve(second, person());
    expect(await of(before)).toEqual(alone);
    await approve(before, person());
  });

  test("many are approved each by itself: moved, decided and two-person ones get their own answers and leave the others alone", async () => {
    const [good, moved, gone, big] = [await create(MAXIMUM + 1n), await create(MAXIMUM + 2n), await create(MAXIMUM + 3n), await create()];
    await approve(gone, person());
    const rate = decimal("0.0077");
    const outcomes = await approveSettlements(ctx, {
      by: person(),
      items: [
        { id: good.id, expectedExchangeRate: rate },
        { id: moved.id, expectedExchangeRate: decimal("0.0070") },
        { id: gone.id, expectedExchangeRate: rate },
        { id: big.id, expectedExchangeRate: rate },
        { id: "tx_nonsense", expectedExchangeRate: rate },
      ],
    });
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["approved", "price_moved", "decided", "needs_two", "refused"]);
    expect(await count("settlement_approvals", "settlement_id", big)).toBe(0);
    expect((await find(moved)).approvalState).toBe("pending");
  });
});

describe("warnings", () => {
  const acknowledging = (settlement: Settlement, kinds: readonly RiskHintKind[]) => {
    const acknowledgedHints = new Map(kinds.map((kind) => [kind, 1]));
    return approveSettlement(ctx, { by: person(), id: settlement.id, note: null, expectedExchangeRate: null, acknowledgedHints });
  };

  test("a person acknowledges each that holds; with one missing nothing is decided, and who acknowledged what is internal", async () => {
    // The same merchant, amount and wallet twice.
    await create(TWO_ABOVE - 7n);
    const settlement = await create(TWO_ABOVE - 7n);
    const found = (await readRiskHints(ctx, settlement.id)).map(({ kind }) => kind);
    expect(found).toEqual(expect.arrayContaining(["first_wallet_use", "repeated"]));
    const before = await find(settlement);
    for (const left of found) {
      const refused = acknowledging(
        settlement,
        found.filter((kind) => kind !== left),
      );
      await expect(refused).rejects.toMatchObject({
        code: "validation_failed",
        particulars: { members: { unacknowledged_hints: [left] } },
      });
    }
    expect(await find(settlement)).toEqual(before);
    for (const [table, column] of [
      ["callbacks", "subject_id"],
      ["settlement_approvals", "settlement_id"],
    ] as const)
      expect(await count(table, column, settlement)).toBe(0);
    expect(await actionsOf(settlement)).toEqual(["settlement.created"]);

    expect((await acknowledging(settlement, found)).approvalState).toBe("approved");
    const [entry] =
      await database.sql`select partner_id, change from audit_entries where object_id = ${settlement.id} and action = 'settlement.hints_acknowledged'`;
    expect(entry).toEqual({ partner_id: null, change: { hints: found.join(", ") } });
    // A decided one says that, whatever is acknowledged.
    await expect(acknowledging(settlement, [])).rejects.toMatchObject({ code: "invalid_state" });
  });
});
