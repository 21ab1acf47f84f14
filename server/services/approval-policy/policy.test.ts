import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "#db/client.ts";
import { listDemands } from "#db/queries/settlements/settlement-approvals.ts";
import type { By } from "#domain/access.ts";
import type { WrittenRule } from "#domain/policy-rule.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { approveSettlement } from "#server/services/settlements/approve-settlement.ts";
import { approveSettlements } from "#server/services/settlements/approve-settlements.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { previewApproval } from "#server/services/settlements/preview-approval.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, BLANK_RULE, setRate, TEST_CHAIN, type TestPartner, testChains } from "#testing/factories.ts";
import { addOperatorKey, addProvenPerson, refusalOf, type TestPerson } from "#testing/people.ts";
import { NO_CHAINS, NO_LAPSING_CHAINS } from "#testing/surface.ts";
import { setPolicy } from "./set-policy.ts";

/** The approval policy: its rules add to the demands of the terms, and never reduce them. */

const MAXIMUM = 1_000_000n;
const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const REASON = "as the story goes";

let database: TestDatabase;
let pool: OpenDatabase;
let partner: TestPartner;
let [ana, ben, eve, cem]: TestPerson[] = [];
const people = () => ({ ana: ana as TestPerson, ben: ben as TestPerson, eve: eve as TestPerson, cem: cem as TestPerson });
const ctx = (mode: "sandbox" | "live" = "sandbox") =>
  ({
    db: pool.db,
    clock: { now: () => new Date() },
    chains: testChains,
    evm: NO_CHAINS,
    lapsing: NO_LAPSING_CHAINS,
    policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 },
    mode,
  }) as const;

beforeAll(async () => {
  database = await createTestDatabase();
  const { url, webRole: role, layout } = database;
  pool = openDatabase({ url, applicationName: "policy", maxConnections: 20, role, layout });
  await addTerms(database.db, { maximumSourceMinor: MAXIMUM, twoApprovalsAboveMinor: 5n * MAXIMUM, platformFeeBase: 0n });
  await setRate(database.db, "0.01");
});
beforeEach(async () => {
  partner = await addPartner(database.db);
  // Others than before each time: some of them lose their roles.
  ana = await addProvenPerson(database.db, "admin");
  ben = await addProvenPerson(database.db, "admin");
  eve = await addProvenPerson(database.db, "approver");
  cem = await addProvenPerson(database.db, "approver");
});
afterAll(async () => {
  await expectCleanAudit({ db: database.db }, { without: ["executed_was_paid_once", "unexecuted_was_not_paid"] });
  await pool.close();
  await database.close();
});

let version = 0;
/** Puts these rules in force, for this test's partner. */
async function rules(...changes: Partial<WrittenRule>[]) {
  const written = changes.map((each, place) => ({ ...BLANK_RULE, id: `rule-${place}`, partner_id: partner.partnerId, ...each }));
  const { result } = await setPolicy(ctx(), { by: people().ana.by, rules: written, expectedVersion: version, reason: REASON });
  version = result?.version ?? version;
  return result;
}
/** 1,000.00 KES are 10 USDT. */
const quote = (amount = 100_000n) =>
  createSettlement(ctx(), {
    ...partner,
    sourceAmountMinor: amount,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId: "merchant",
    chain: TEST_CHAIN.chain,
    walletAddress: WALLET,
    callbackUrl: "http://localhost:9/a",
  });
const approve = ({ id }: Settlement, by: By) => approveSettlement(ctx(), { by, id, note: null, expectedExchangeRate: null });
const stateOf = async ({ id }: Settlement) =>
  (await database.sql<{ state: string | null }[]>`select approval_state as state from settlements where id = ${id}`)[0]?.state;
const demandOf = async ({ id }: Settlement) => (await listDemands(database.db, [id])).get(id);
const confirm = ({ id }: Settlement) =>
  confirmSettlement(ctx(), { ...partner, id, externalTxId: randomUUID(), callbackUrl: null, expectedDestinationAmount: null });

describe("a policy", () => {
  it("lets what its rules hold for wait, says which rule of which version, and lets a yes go on with it", async () => {
    const amount = { of: "source", from: "1000", below: null } as const;
    await rules({ id: "large", source_currency: "KES", amount });
    const [small, large] = [await quote(99_999n), await quote(100_000n)];
    expect([small.approvalState, large.approvalState]).toEqual([null, "pending"]);
    expect(await demandOf(large)).toMatchObject({ version, rule: { id: "large" } });
    expect(await demandOf(small)).toBeUndefined();
    expect(await refusalOf(confirm(large))).toBe("approval_pending");
    await approve(large, people().eve.by);
    expect((await confirm(large)).settlement.status).toBe("processing");
    expect((await confirm(small)).settlement.status).toBe("processing");
  });

  it("counts what the wallet would receive where a rule speaks of that", async () => {
    await rules({ destination_currency: "USDT", amount: { of: "destination", from: "10", below: "11" } });
    expect(await Promise.all([99_999n, 100_000n, 109_999n, 110_000n].map(async (minor) => (await quote(minor)).approvalState))).toEqual([
      null,
      "pending",
      "pending",
      null,
    ]);
  });

  it("takes nothing away from the terms: above the maximum it waits whatever the rules say, above the second threshold for two", async () => {
    await rules({ amount: { of: "source", from: null, below: "1" }, source_currency: "KES" });
    expect((await quote(MAXIMUM + 1n)).approvalState).toBe("pending");
    await rules({ approvals: 1 });
    const two = await quote(5n * MAXIMUM + 1n);
    await approve(two, people().eve.by);
    expect(await stateOf(two)).toBe("pending");
    await approve(two, people().cem.by);
    expect(await stateOf(two)).toBe("approved");
    await rules();
    expect([(await quote()).approvalState, (await quote(MAXIMUM + 1n)).approvalState]).toEqual([null, "pending"]);
  });

  it("is kept with the quote: a later version asks nothing of what waits already, and nothing is taken from it", async () => {
    await rules({ approvals: 2 });
    const settlement = await quote();
    await rules();
    await approve(settlement, people().eve.by);
    expect(await stateOf(settlement)).toBe("pending");
    await rules({ approvals: 3, who: "deciders" });
    await approve(settlement, people().cem.by);
    expect(await stateOf(settlement)).toBe("approved");
  });
});

describe("who says yes", () => {
  it("are as many different people as the rule asks for, each once", async () => {
    await rules({ approvals: 3 });
    const settlement = await quote();
    const { ana, ben, eve, cem } = people();
    await approve(settlement, ana.by);
    expect(await refusalOf(approve(settlement, ana.by))).toBe("same_approver");
    expect(await refusalOf(approve(settlement, await addOperatorKey(database.db, ana.id)))).toBe("same_approver");
    await approve(settlement, eve.by);
    expect((await previewApproval(ctx(), settlement.id)).needed).toBe(3);
    expect(await stateOf(settlement)).toBe("pending");
    expect(await refusalOf(approve(settlement, await addOperatorKey(database.db, cem.id)))).toBe("same_approver");
    await approve(settlement, ben.by);
    expect(await stateOf(settlement)).toBe("approved");
    const entries = await database.sql`select action, partner_id, change from audit_entries where object_id = ${settlement.id} order by id`;
    expect(entries.map(({ action }) => action)).toEqual([
      "settlement.created",
      "settlement.approval_recorded",
      "settlement.approval_recorded",
      "settlement.approved",
    ]);
    expect(entries[2]).toMatchObject({ partner_id: null, change: { approvals_given: 2, approvals_needed: 3 } });
  });

  it("are those whom the rule asks for; no other person's yes is recorded, and anybody's no is enough", async () => {
    const { ana, ben, eve, cem } = people();
    await rules({ who: "admins" });
    const admins = await quote();
    for (const by of [eve.by, await addOperatorKey(database.db, eve.id), await addOperatorKey(database.db, null)])
      expect(await refusalOf(approve(admins, by))).toBe("forbidden");
    const items = [{ id: admins.id, expectedExchangeRate: admins.quote.exchangeRate }];
    expect(await approveSettlements(ctx(), { by: eve.by, items })).toMatchObject([{ outcome: "refused", refusal: { code: "forbidden" } }]);
    expect((await previewApproval(ctx(), admins.id)).approvals).toEqual([]);
    await approve(admins, await addOperatorKey(database.db, ben.id));
    expect(await stateOf(admins)).toBe("approved");
    await rules({ who: "people", people: [eve.id, cem.id], approvals: 2 });
    const named = await quote();
    expect(await refusalOf(approve(named, ana.by))).toBe("forbidden");
    await approve(named, cem.by);
    await approve(named, eve.by);
    expect(await stateOf(named)).toBe("approved");
  });

  it("at the same instant: of two, one's is the last and decides; of one person's clicks one counts", async () => {
    await rules({ approvals: 2 });
    const { ana, ben, eve, cem } = people();
    for (const pass of [1, 2, 3]) {
      const settlement = await quote(100_000n + BigInt(pass));
      const work = [ana, ana, ben, eve, cem].map(({ by }) => approve(settlement, by));
      const codes = (await Promise.allSettled(work)).map((each) =>
        each.status === "fulfilled" ? "ok" : isRefusal(each.reason) ? each.reason.code : String(each.reason),
      );
      expect(codes.filter((code) => code === "ok")).toHaveLength(2);
      expect(await stateOf(settlement)).toBe("approved");
      const [count] = await database.sql`select count(*)::int as yeses from settlement_approvals where settlement_id = ${settlement.id}`;
      expect(count?.yeses).toBe(2);
    }
  });

  it("are those who still may: what somebody lost meanwhile, their yes has lost", async () => {
    const { ana, ben, eve, cem } = people();
    await rules({ approvals: 2 });
    const settlement = await quote();
    await approve(settlement, eve.by);
    await approve(await quote(), ben.by);
    await database.sql`update users set role = 'viewer' where id = ${eve.id}`;
    expect((await previewApproval(ctx(), settlement.id)).approvals).toMatchObject([{ counts: false }]);
    await approve(settlement, cem.by);
    expect(await stateOf(settlement)).toBe("pending");
    await database.sql`update users set disabled_at = now() where id = ${cem.id}`;
    await approve(settlement, ana.by);
    expect(await stateOf(settlement)).toBe("pending");
    await approve(settlement, ben.by);
    expect(await stateOf(settlement)).toBe("approved");

    await rules({ approvals: 2, who: "admins" });
    const ofAdmins = await quote();
    await approve(ofAdmins, ana.by);
    await database.sql`update users set role = 'approver' where id = ${ana.id}`;
    await approve(ofAdmins, ben.by);
    expect(await stateOf(ofAdmins)).toBe("pending");
    await approve(ofAdmins, (await addProvenPerson(database.db, "admin")).by);
    expect(await stateOf(ofAdmins)).toBe("approved");
  });

  it("may be enough with a yes that counts again: one of those who count finishes it, with a fresh code and without another yes", async () => {
    const { ana, eve, cem } = people();
    await rules({ who: "people", people: [eve.id, cem.id], approvals: 2 });
    const settlement = await quote();
    const role = (to: string) => database.sql`update users set role = ${to} where id = ${eve.id}`;
    await approve(settlement, eve.by);
    expect(await refusalOf(approve(settlement, eve.by))).toBe("same_approver");
    await role("viewer");
    await approve(settlement, cem.by);
    expect(await refusalOf(approve(settlement, cem.by))).toBe("same_approver");
    await role("approver");
    expect(await stateOf(settlement)).toBe("pending");
    expect(await refusalOf(approve(settlement, ana.by))).toBe("forbidden");
    expect(await refusalOf(approve(settlement, await addOperatorKey(database.db, cem.id)))).toBe("same_approver");
    const byPassword = { ...cem.by, proof: { at: new Date(), byCode: false } };
    for (const by of [{ ...cem.by, proof: null }, byPassword]) expect(await refusalOf(approve(settlement, by))).toBe("step_up_required");
    const done = await Promise.all([refusalOf(approve(settlement, cem.by)), refusalOf(approve(settlement, eve.by))]);
    expect(done.toSorted()).toEqual([null, "invalid_state"].toSorted());
    expect(await stateOf(settlement)).toBe("approved");
    const [count] = await database.sql`select count(*)::int as yeses from settlement_approvals where settlement_id = ${settlement.id}`;
    expect(count?.yeses).toBe(2);
  });

  it("are as many next to the version before, which knows no policy: the database enforces what was asked", async () => {
    await rules({ approvals: 3 });
    const [settlement, ordinary] = [await quote(), await quote(MAXIMUM + 1n)];
    const { eve, cem } = people();
    // Its yes and its change, in its order: as far as it knows, one is enough.
    const byVersionBefore = ({ id }: Settlement, decider: string) =>
      database.sql.begin(async (tx) => {
        await tx`insert into settlement_approvals (settlement_id, decider_type, decider_id, approved_at, partner_id)
          values (${id}, 'user', ${decider}, business_now(), ${partner.partnerId})`;
        const [clock] = await tx`select business_now() as now`;
        await tx`update settlements set approval_state = 'approved', approval_decided_at = ${clock?.now} where id = ${id}`;
        throw new Error("it was let");
      });
    await expect(byVersionBefore(settlement, eve.id)).rejects.toThrow(/asks for 3 approvals/);
    await approve(settlement, people().ana.by);
    await expect(byVersionBefore(settlement, eve.id)).rejects.toThrow(/asks for 3 approvals/);
    await approve(settlement, people().ben.by);
    await expect(byVersionBefore(settlement, eve.id)).rejects.toThrow("it was let");
    await approve(settlement, cem.by);
    expect(await stateOf(settlement)).toBe("approved");
    await rules();
    await expect(byVersionBefore(ordinary, eve.id)).rejects.toThrow(/asks for 3 approvals/);
    await expect(byVersionBefore(await quote(MAXIMUM + 1n), eve.id)).rejects.toThrow("it was let");
  });

  it("more than one is never decided among many at once", async () => {
    await rules({ approvals: 2 });
    const settlement = await quote();
    const items = [{ id: settlement.id, expectedExchangeRate: settlement.quote.exchangeRate }];
    expect(await approveSettlements(ctx(), { by: people().ana.by, items })).toMatchObject([{ outcome: "needs_two" }]);
  });
});

describe("a change of the policy", () => {
  it("is made by two people in live mode, by version, and is in the audit log with before and after", async () => {
    const { ana, ben, eve } = people();
    const policy = [{ ...BLANK_RULE, id: "by-two", partner_id: partner.partnerId }];
    const change = { by: ana.by, rules: policy, expectedVersion: version, reason: REASON };
    const { proposal, result } = await setPolicy(ctx("live"), change);
    expect([result, (await quote()).approvalState]).toEqual([null, null]);
    expect(await refusalOf(setPolicy(ctx("live"), { ...change, by: ben.by }))).toBe("conflict");
    expect(await refusalOf(confirmProposal(ctx("live"), { by: ana.by, id: proposal.id }))).toBe("same_approver");
    expect(await refusalOf(confirmProposal(ctx("live"), { by: eve.by, id: proposal.id }))).toBe("forbidden");
    await confirmProposal(ctx("live"), { by: ben.by, id: proposal.id });
    version += 1;
    expect((await quote()).approvalState).toBe("pending");
    const [entry] = await database.sql`select partner_id, reason, change from audit_entries where action = 'approval_policy.set'
      and object_id = ${String(version)}`;
    expect(entry).toMatchObject({ partner_id: null, reason: REASON, change: { version, after: policy } });
  });

  it("that was overtaken is refused; of two at once one wins", async () => {
    const { ana, ben } = people();
    const change = (by: By) => setPolicy(ctx(), { by, rules: [], expectedVersion: version, reason: REASON });
    const codes = await Promise.all([refusalOf(change(ana.by)), refusalOf(change(ben.by))]);
    expect(codes.toSorted()).toEqual([null, "conflict"].toSorted());
    expect(await refusalOf(change(ana.by))).toBe("conflict");
    version += 1;
  });

  it("is an administrator's who has just proven it, and refused where it could never be fulfilled or names what is not there", async () => {
    const { ana, eve, cem } = people();
    const refused = (fields: Partial<WrittenRule>, by = ana.by) =>
      refusalOf(setPolicy(ctx(), { by, rules: [{ ...BLANK_RULE, ...fields }], expectedVersion: version, reason: REASON }));
    expect(await refused({}, eve.by)).toBe("forbidden");
    expect(await refused({}, partner.by as typeof ana.by)).toBe("forbidden");
    expect(await refused({}, { ...ana.by, proof: null })).toBe("step_up_required");
    expect(await refused({ id: "No Name" })).toBe("validation_failed");
    expect(await refused({ partner_id: randomUUID() })).toBe("validation_failed");
    expect(await refused({ chain: "eip155:404" })).toBe("validation_failed");
    expect(await refused({ source_currency: "XXX1" })).toBe("validation_failed");
    expect(await refused({ destination_currency: "DOGE" })).toBe("validation_failed");
    expect(await refused({ who: "people", people: [eve.id, randomUUID()] })).toBe("validation_failed");
    await database.sql`update users set role = 'viewer' where id = ${cem.id}`;
    expect(await refused({ who: "people", people: [cem.id] })).toBe("validation_failed");
    // Above the second threshold it asks for two, whatever the rule says: one person could never fulfil it there.
    expect(await refused({ who: "people", people: [eve.id] })).toBe("validation_failed");
    await database.sql`update users set role = 'approver' where role = 'admin' and id <> ${ana.id}`;
    expect(await refused({ who: "admins" })).toBe("validation_failed");
    const upTo = { source_currency: "KES", amount: { of: "source", from: null, below: "50000" } } as const;
    await rules({ ...upTo, who: "admins" }, { ...upTo, who: "people", people: [eve.id] });
    await rules();
    await expect(database.sql`update approval_policies set reason = 'x'`).rejects.toThrow(/append only|permission denied/);
    await expect(database.sql`delete from approval_demands`).rejects.toThrow(/append only|permission denied/);
  });
});
