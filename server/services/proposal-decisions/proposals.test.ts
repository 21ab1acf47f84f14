import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findNewestVersion } from "#db/queries/rates/pair-terms.ts";
import type { users } from "#db/schema/people.ts";
import type { By, OperatorRole } from "#domain/access.ts";
import { newId } from "#domain/ids.ts";
import type { Terms } from "#domain/pair-terms.ts";
import type { Context } from "#server/context.ts";
import { setPairTerms } from "#server/services/rates/change-terms.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { TEST_CHAIN } from "#testing/factories.ts";
import { addOperatorKey, addProvenPerson, justProven, refusalOf } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { confirmProposal, withdrawProposal } from "./decide-proposal.ts";
import { listProposals } from "./kinds.ts";

/** Proposals and their confirmation, with new thresholds of a pair as the example. */

const DAY_MS = 86_400_000;
const TERMS: Terms = {
  enabled: true,
  spreadBps: 50,
  platformFeeBase: 500_000n,
  minimumSourceMinor: 10_000n,
  maximumSourceMinor: 100_000_000n,
  twoApprovalsAboveMinor: 500_000_000n,
  batchMaximumSourceMinor: null,
  quoteLifetimeSeconds: 300,
  approvedLifetimeSeconds: 1_800,
};

let database: TestDatabase;
let live: Context;
let sandbox: Context;
beforeAll(async () => {
  database = await createTestDatabase();
  sandbox = testContext(database.db);
  live = { ...sandbox, mode: "live" };
});
afterAll(() => database.close());

async function person(role: OperatorRole = "admin", values: Partial<typeof users.$inferInsert> = {}): Promise<By> {
  return (await addProvenPerson(database.db, role, values)).by;
}
const idOf = (by: By) => (by.actor.type === "user" ? by.actor.userId : "");
const keyOf = (maker: By | null) => addOperatorKey(database.db, maker && idOf(maker));

const currencies = [
  "AED",
  "ARS",
  "AUD",
  "BDT",
  "BRL",
  "CAD",
  "CHF",
  "CLP",
  "CNY",
  "COP",
  "CZK",
  "DKK",
  "EGP",
  "EUR",
  "GBP",
  "GHS",
  "HKD",
  "HUF",
  "IDR",
  "ILS",
  "INR",
  "JPY",
];
/** Each time another pair. */
function newOwner() {
  return { sourceCurrency: currencies.pop() ?? "", destinationCurrency: "USDT", chain: TEST_CHAIN.chain, partnerId: null };
}
const set = (ctx: Context, by: By, owner: ReturnType<typeof newOwner>, change: Partial<Terms> = {}, expectedVersion = 0) =>
  setPairTerms(ctx, { by, owner, terms: { ...TERMS, ...change }, expectedVersion, reason: "a wider limit" });
async function proposeTerms(by: By, owner = newOwner()) {
  const { version, proposalId } = await set(live, by, owner);
  expect(version).toBeNull();
  return { id: proposalId ?? "", owner };
}
const versionOf = async (owner: ReturnType<typeof newOwner>) => (await findNewestVersion(database.db, owner))?.version ?? 0;
const actionsOf = async (id: string) =>
  (await database.sql<{ action: string }[]>`select action from audit_entries where object_id = ${id} order by id`).map(
    ({ action }) => action,
  );

describe("in live mode", () => {
  test("what is proposed waits and changes nothing; a second person's yes carries it out, in one transaction, and both are in the audit log", async () => {
    const [ana, ben] = [await person(), await person()];
    const { id, owner } = await proposeTerms(ana);
    expect(await versionOf(owner)).toBe(0);
    expect((await listProposals(live)).open).toContainEqual(expect.objectContaining({ id, kind: "pair_terms", reason: "a wider limit" }));

    const { proposal } = await confirmProposal(live, { by: ben, id });
    expect(proposal).toMatchObject({ outcome: "carried_out", proposer: { id: idOf(ana) }, decider: { id: idOf(ben) } });
    expect(await versionOf(owner)).toBe(1);
    expect(await actionsOf(id)).toEqual(["proposal.made", "proposal.carried_out"]);
    expect((await listProposals(live)).open).not.toContainEqual(expect.objectContaining({ id }));
    expect(await refusalOf(confirmProposal(live, { by: ben, id }))).toBe("invalid_state");
    expect(await versionOf(owner)).toBe(1);
  });

  test("nobody confirms their own, neither themselves nor by a key that counts as them", async () => {
    const ana = await person();
    const { id, owner } = await proposeTerms(ana);
    expect(await refusalOf(confirmProposal(live, { by: ana, id }))).toBe("same_approver");
    expect(await refusalOf(confirmProposal(live, { by: await keyOf(ana), id }))).toBe("same_approver");
    const byKey = await proposeTerms(await keyOf(ana));
    expect(await refusalOf(confirmProposal(live, { by: ana, id: byKey.id }))).toBe("same_approver");
    expect([await versionOf(owner), await versionOf(byKey.owner)]).toEqual([0, 0]);
    await confirmProposal(live, { by: await person(), id: byKey.id });
    expect(await versionOf(byKey.owner)).toBe(1);
  });

  test("no key is a second person, whosever it is", async () => {
    const { id } = await proposeTerms(await person());
    for (const maker of [null, await person()])
      expect(await refusalOf(confirmProposal(live, { by: await keyOf(maker), id }))).toBe("same_approver");
  });

  test("the second person has given a second factor within five minutes", async () => {
    const { id, owner } = await proposeTerms(await person());
    const ben = await person();
    const stale = { at: new Date(Date.now() - 5 * 60_000), byCode: true };
    for (const proof of [null, stale, { at: new Date(), byCode: false }])
      expect(await refusalOf(confirmProposal(live, { by: { ...ben, proof }, id }))).toBe("step_up_required");
    const without = await person("admin", { sealedTotpSecret: null });
    expect(await refusalOf(confirmProposal(live, { by: { ...without, proof: { at: new Date(), byCode: false } }, id }))).toBe(
      "step_up_required",
    );
    expect(await versionOf(owner)).toBe(0);
    await confirmProposal(live, { by: ben, id });
  });

  test("neither of the two is younger than a day", async () => {
    const young = await person("admin", { createdAt: new Date(Date.now() - DAY_MS + 60_000) });
    const { id } = await proposeTerms(await person());
    expect(await refusalOf(confirmProposal(live, { by: young, id }))).toBe("same_approver");
    const other = await proposeTerms(young);
    expect(await refusalOf(confirmProposal(live, { by: await person(), id: other.id }))).toBe("same_approver");
    await database.sql`update users set created_at = created_at - interval '2 minutes' where id = ${idOf(young)}`;
    await confirmProposal(live, { by: await person(), id: other.id });
  });

  test("what was proposed by somebody who may do so no more is not carried out; it can be withdrawn", async () => {
    const gone = await person();
    const { id, owner } = await proposeTerms(gone);
    await database.sql`update users set role = 'viewer' where id = ${idOf(gone)}`;
    expect(await refusalOf(confirmProposal(live, { by: await person(), id }))).toBe("conflict");
    await database.sql`update users set role = 'admin', disabled_at = now() where id = ${idOf(gone)}`;
    expect(await refusalOf(confirmProposal(live, { by: await person(), id }))).toBe("conflict");
    await withdrawProposal(live, { by: await person(), id, reason: null });
    expect(await versionOf(owner)).toBe(0);
  });

  test("only who may do it proposes, confirms or withdraws it", async () => {
    const { id } = await proposeTerms(await person());
    for (const by of [await person("approver"), await person("viewer")]) {
      expect(await refusalOf(set(live, by, newOwner()))).toBe("forbidden");
      expect(await refusalOf(confirmProposal(live, { by, id }))).toBe("forbidden");
      expect(await refusalOf(withdrawProposal(live, { by, id, reason: null }))).toBe("forbidden");
    }
    expect(await refusalOf(confirmProposal(live, { by: await person(), id: newId("proposal", new Date()) }))).toBe("not_found");
    expect(await refusalOf(confirmProposal(live, { by: await person(), id: "pr_none" }))).toBe("not_found");
  });

  test("the same is proposed once at a time; withdrawn, it may be proposed again, and is never carried out", async () => {
    const [ana, ben] = [await person(), await person()];
    const { id, owner } = await proposeTerms(ana);
    expect(await refusalOf(set(live, ben, owner))).toBe("conflict");
    await withdrawProposal(live, { by: ana, id, reason: "a slip" });
    expect(await refusalOf(confirmProposal(live, { by: ben, id }))).toBe("invalid_state");
    expect(await actionsOf(id)).toEqual(["proposal.made", "proposal.withdrawn"]);
    const again = await proposeTerms(ana, owner);
    await confirmProposal(live, { by: ben, id: again.id });
    expect(await versionOf(owner)).toBe(1);
  });

  test("of many who confirm and withdraw at once one wins, and it is carried out once or not at all", async () => {
    for (let pass = 0; pass < 3; pass += 1) {
      const { id, owner } = await proposeTerms(await person());
      const [last, ...people] = await Promise.all([person(), person(), person(), person()]);
      const work = [...people.map((by) => confirmProposal(live, { by, id })), withdrawProposal(live, { by: last, id, reason: null })];
      const settled = await Promise.all(work.map((each) => refusalOf(each)));
      expect(settled.filter((code) => code === null)).toHaveLength(1);
      expect(settled.filter((code) => code === "invalid_state")).toHaveLength(3);
      expect(await versionOf(owner)).toBe(settled[3] === null ? 0 : 1);
    }
  });

  test("what cannot be done any more leaves the proposal open and nothing half done", async () => {
    const [ana, ben] = [await person(), await person()];
    const owner = newOwner();
    const first = await proposeTerms(ana, owner);
    await confirmProposal(live, { by: ben, id: first.id });
    const { proposalId } = await set(live, ana, owner, { maximumSourceMinor: 200_000_000n }, 1);
    // Another spread needs no approval, and makes the proposal's version an old one.
    expect((await set(live, ana, owner, { spreadBps: 60 }, 1)).version).toMatchObject({ version: 2 });
    expect(await refusalOf(confirmProposal(live, { by: ben, id: proposalId ?? "" }))).toBe("conflict");
    expect(await actionsOf(proposalId ?? "")).toEqual(["proposal.made"]);
    expect(await versionOf(owner)).toBe(2);
  });

  test("no statement changes what was proposed, or decides it again", async () => {
    const { id } = await proposeTerms(await person());
    await expect(database.sql`update proposals set body = '{}' where id = ${id}`).rejects.toThrow(/decided once/);
    await withdrawProposal(live, { by: await person(), id, reason: null });
    await expect(database.sql`update proposals set outcome = 'open', decided_at = null where id = ${id}`).rejects.toThrow(/decided once/);
    await expect(database.sql`delete from proposals where id = ${id}`).rejects.toThrow();
  });
});

test("in the sandbox one person suffices: it is carried out at once, and kept as decided", async () => {
  const ana = await person("admin", { createdAt: new Date(), sealedTotpSecret: null });
  const owner = newOwner();
  const { version, proposalId } = await set(sandbox, { ...ana, proof: justProven() }, owner);
  expect([version?.version, proposalId]).toEqual([1, null]);
  const subject = `${owner.sourceCurrency} USDT ${TEST_CHAIN.chain}`;
  expect((await listProposals(sandbox)).decided).toContainEqual(expect.objectContaining({ subject, outcome: "carried_out" }));
});
