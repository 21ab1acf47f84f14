import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ByPerson } from "#domain/access.ts";
import { newId } from "#domain/ids.ts";
import type { Context } from "#server/context.ts";
import { approveSettlement } from "#server/services/settlements/approve-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { readWorkQueue } from "#server/services/transactions/read-work-queue.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setRate, TEST_CHAIN, type TestPartner } from "#testing/factories.ts";
import { addPerson, refusalOf } from "#testing/people.ts";
import { plantTransfer } from "#testing/plant-transfer.ts";
import { testContext } from "#testing/surface.ts";
import { escalateOverdue } from "./escalate-overdue.ts";
import { findFacts } from "./find-facts.ts";
import { countUnread } from "./read-notifications.ts";
import { readAbsence, setAbsence, setRule } from "./set-wishes.ts";

let database: TestDatabase;
let ctx: Context;
let partner: TestPartner;

beforeAll(async () => {
  database = await createTestDatabase();
  ctx = testContext(database.db);
  partner = await addPartner(database.db);
  await addTerms(database.db, { maximumSourceMinor: 100n, twoApprovalsAboveMinor: 1_000_000n });
  await setRate(database.db, "0.0077");
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql`delete from notifications`;
  await database.sql`update users set disabled_at = now() where disabled_at is null`;
});

const waiting = (externalMerchantId: string, amount = 500_000n) =>
  createSettlement(ctx, {
    ...partner,
    sourceAmountMinor: amount,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId,
    chain: TEST_CHAIN.chain,
    walletAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    callbackUrl: "http://localhost:9/a",
  });
const approve = (by: ByPerson, id: string) => approveSettlement(ctx, { by, id, note: "looks right", expectedExchangeRate: null });
const queueOf = async ({ actor }: ByPerson, ids: readonly string[]) =>
  (await readWorkQueue(ctx, actor)).items
    .filter(({ id }) => ids.includes(id))
    .map(({ kind, detail, waitsFor }) => [kind, detail, waitsFor]);
const noticesOf = async ({ id }: { id: string }) =>
  (await database.sql`select kind, subject_id from notifications where user_id = ${id} and kind like 'decision_%' order by kind`).map(
    ({ kind, subject_id }) => `${kind} ${subject_id}`,
  );
/** A payment that waits for a person, because nobody knows whether it was made. */
async function aReview(): Promise<string> {
  const now = new Date();
  const owed = { purpose: "settlement", ownerId: newId("settlement", now), partnerId: null, chain: TEST_CHAIN.chain, now } as const;
  const what = { currency: "ETH", tokenAddress: null, tokenDecimals: 18, amountBase: 1n, recipient: "0x01" };
  const id = (await plantTransfer(database.db, { ...owed, ...what }))?.id ?? "";
  await database.sql`update transfers set state = 'needs_review', due_at = null where id = ${id}`;
  return id;
}
/** Nothing else waits. */
async function decideAll(): Promise<void> {
  await database.sql`update settlements set status = 'cancelled', cancelled_at = (select business_now()) where status = 'quoted'`;
}
const ahead = (days: number) => new Date(Date.now() + days * 86_400_000);

describe("a person's queue", () => {
  it("has what they may decide, and apart from it what waits for another person's yes", async () => {
    const [ana, ben] = [await addPerson(database.db, "admin"), await addPerson(database.db, "approver")];
    const viewer = await addPerson(database.db, "viewer");
    const [one, two] = [await waiting("m-one"), await waiting("m-two", 2_000_000n)];
    await approve(ana.by, two.id);
    const ids = [one.id, two.id];
    expect(await queueOf(ana.by, ids)).toEqual([
      ["settlement", "m-one", "you"],
      ["settlement", "m-two", "others"],
    ]);
    expect(await queueOf(ben.by, ids)).toEqual([
      ["settlement", "m-one", "you"],
      ["settlement", "m-two", "you"],
    ]);
    expect(await queueOf(viewer.by, ids)).toEqual([
      ["settlement", "m-one", "others"],
      ["settlement", "m-two", "others"],
    ]);
    await approve(ben.by, two.id);
    await approve(ben.by, one.id);
    expect(await queueOf(ben.by, ids)).toEqual([]);
  });

  it("promises a decision by the installation's target", async () => {
    const ana = await addPerson(database.db, "admin");
    const { id, createdAt } = await waiting("m-three");
    const { items } = await readWorkQueue({ ...ctx, policy: { ...ctx.policy, decisionTargetMinutes: 15 } }, ana.by.actor);
    expect(items.find((item) => item.id === id)?.promisedBy).toEqual(new Date(createdAt.getTime() + 15 * 60_000));
  });
});

describe("a decision that waits longer than promised", () => {
  const late = () => ({ ...ctx, policy: { ...ctx.policy, decisionTargetMinutes: 0 } });
  /** To whom it was passed on: every row that there is. */
  const passedOn = async (id: string) =>
    (await database.sql`select user_id from notifications where kind = 'decision_overdue' and subject_id = ${id}`).map(
      ({ user_id }) => user_id,
    );
  const aProposal = async (proposer: string) => {
    const id = `pr_${randomUUID()}`;
    await database.sql`insert into proposals (id, kind, subject, body, proposer_type, proposer_id, proposer_name, proposed_at)
      values (${id}, 'lift_halt', ${id}, '{}', 'user', ${proposer}, 'Ana', business_now())`;
    return id;
  };

  it("is passed on to the next person, once, by two workers at once and by one that dies before its commit", async () => {
    const ana = await addPerson(database.db, "admin");
    await addPerson(database.db, "approver");
    const { id } = await waiting("m-four");
    await escalateOverdue(ctx);
    expect(await passedOn(id)).toEqual([]);
    const dies = database.db.transaction(async (db) => {
      expect(await escalateOverdue({ ...late(), db })).toBeGreaterThan(0);
      throw new Error("the worker dies");
    });
    await expect(dies).rejects.toThrow("the worker dies");
    expect(await passedOn(id)).toEqual([]);
    await Promise.all([escalateOverdue(late()), escalateOverdue(late()), escalateOverdue(late())]);
    expect(await passedOn(id)).toEqual([ana.id]);
    await escalateOverdue(late());
    expect(await passedOn(id)).toEqual([ana.id]);
    expect(await countUnread(ctx, ana.id)).toBeGreaterThan(0);
    await decideAll();
    expect(await countUnread(ctx, ana.id)).toBe(0);
  });

  it("goes to a person who may decide it, is not away, and has not said yes to it; to the one who was asked longest ago", async () => {
    const [ana, ben, cleo] = [
      await addPerson(database.db, "admin"),
      await addPerson(database.db, "admin"),
      await addPerson(database.db, "approver"),
    ];
    await addPerson(database.db, "viewer");
    await decideAll();
    const ofAna = await aProposal(ana.id);
    await setAbsence(ctx, { by: ben.by, absence: { until: ahead(1), substituteId: cleo.id } });
    const { id } = await waiting("m-seven", 2_000_000n);
    await approve(ana.by, id);
    await escalateOverdue(late());
    // Of the admins one has proposed and approved, the other is away. An approver may not decide a proposal.
    expect([await passedOn(ofAna), await passedOn(id)]).toEqual([[], [cleo.id]]);
    await setAbsence(ctx, { by: ben.by, absence: null });
    await escalateOverdue(late());
    expect(await passedOn(ofAna)).toEqual([ben.id]);
    const [first, second] = [await waiting("m-eight"), await waiting("m-nine")];
    await escalateOverdue(late());
    expect([await passedOn(first.id), await passedOn(second.id)]).toEqual([[ana.id], [ben.id]]);
  });

  it("is passed on even if many older ones wait without a person who may decide them", async () => {
    const ana = await addPerson(database.db, "admin");
    await decideAll();
    await database.sql`insert into proposals (id, kind, subject, body, proposer_type, proposer_id, proposer_name, proposed_at)
      select 'pr_own' || n, 'lift_halt', 'own' || n, '{}', 'user', ${ana.id}, 'Ana', business_now() - interval '1 day'
      from generate_series(1, 2500) n`;
    const [{ id }, ofAnother] = [await waiting("m-twelve"), await aProposal(randomUUID())];
    await escalateOverdue(late());
    expect([await passedOn(id), await passedOn(ofAnother)]).toEqual([[ana.id], [ana.id]]);
    await database.sql`update proposals set outcome = 'withdrawn', decided_at = business_now(), decider_type = 'user', decider_id = proposer_id, decider_name = 'Ana' where id like 'pr_own%'`;
  });

  it("passes over a person who has turned these notifications off", async () => {
    const [ana, ben] = [await addPerson(database.db, "admin"), await addPerson(database.db, "admin")];
    await setRule(ctx, { by: ana.by, kind: "decision_overdue", rule: { console: false, mail: false, webhook: false } });
    const { id } = await waiting("m-ten");
    await escalateOverdue(late());
    expect(await passedOn(id)).toEqual([ben.id]);
  });

  it("names that person in the queue, also of a payment under review, and leaves the count once it is over", async () => {
    const [ana, ben] = [await addPerson(database.db, "admin", null, { name: "Ana" }), await addPerson(database.db, "approver")];
    const { id } = await waiting("m-eleven");
    const review = await aReview();
    await escalateOverdue(late());
    expect([await passedOn(id), await passedOn(review)]).toEqual([[ana.id], [ana.id]]);
    const seenBy = async ({ by }: { by: ByPerson }) =>
      (await readWorkQueue(ctx, by.actor)).items
        .filter((item) => [id, review].includes(item.id))
        .map(({ kind, escalated }) => [kind, escalated?.name, escalated?.toYou]);
    const [settlement, payment] = ["settlement", "review"];
    expect(await seenBy(ana)).toEqual(
      expect.arrayContaining([
        [settlement, "Ana", true],
        [payment, "Ana", true],
      ]),
    );
    expect(await seenBy(ben)).toEqual(
      expect.arrayContaining([
        [settlement, "Ana", false],
        [payment, "Ana", false],
      ]),
    );
    const open = await countUnread(ctx, ana.id);
    await approve(ben.by, id);
    expect(await countUnread(ctx, ana.id)).toBe(open - 1);
    await database.sql`update transfers set state = 'failed', failure_reason = 'x' where id = ${review}`;
    expect(await countUnread(ctx, ana.id)).toBe(open - 2);
  });
});

describe("an absence", () => {
  it("asks another person for the decisions too, until it is over", async () => {
    const [ana, ben, cleo] = [
      await addPerson(database.db, "admin"),
      await addPerson(database.db, "approver"),
      await addPerson(database.db, "approver"),
    ];
    await setAbsence(ctx, { by: ana.by, absence: { until: ahead(7), substituteId: ben.id } });
    expect((await readAbsence(ctx, { userId: ana.id })).absence?.substituteId).toBe(ben.id);
    const { id } = await waiting("m-five");
    await findFacts(ctx);
    await findFacts(ctx);
    expect([await noticesOf(ana), await noticesOf(ben), await noticesOf(cleo)]).toEqual([[], [`decision_for_absent ${id}`], []]);
    await setAbsence(ctx, { by: ana.by, absence: null });
    const later = await waiting("m-six");
    await findFacts(ctx);
    expect(await noticesOf(ben)).not.toContain(`decision_for_absent ${later.id}`);
    expect((await readAbsence(ctx, { userId: ana.id })).absence).toBeNull();
  });

  it("is refused for oneself, for somebody who may not decide, and for a time that has passed or is far away", async () => {
    const [ana, viewer, ben] = [
      await addPerson(database.db, "admin"),
      await addPerson(database.db, "viewer"),
      await addPerson(database.db, "approver"),
    ];
    const of = (substituteId: string, days: number) =>
      refusalOf(setAbsence(ctx, { by: ana.by, absence: { until: ahead(days), substituteId } }));
    expect(await Promise.all([of(ana.id, 1), of(viewer.id, 1), of(randomUUID(), 1), of(ben.id, -1), of(ben.id, 91)])).toEqual(
      Array.from({ length: 5 }, () => "validation_failed"),
    );
    expect(await refusalOf(setAbsence(ctx, { by: viewer.by, absence: null }))).toBe("forbidden");
    expect((await readAbsence(ctx, { userId: ana.id })).substitutes.map(({ id }) => id)).toEqual([ben.id]);
  });
});
