import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ByPerson } from "#domain/access.ts";
import type { Context } from "#server/context.ts";
import { approveSettlement } from "#server/services/settlements/approve-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { readWorkQueue } from "#server/services/transactions/read-work-queue.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setRate, TEST_CHAIN, type TestPartner } from "#testing/factories.ts";
import { addPerson, refusalOf } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { findFacts } from "./find-facts.ts";
import { countUnread } from "./read-notifications.ts";
import { readAbsence, setAbsence } from "./set-wishes.ts";

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
  it("is passed on to the admins, once, until it is decided", async () => {
    const [ana, ben] = [await addPerson(database.db, "admin"), await addPerson(database.db, "approver")];
    const { id } = await waiting("m-four");
    const late = { ...ctx, policy: { ...ctx.policy, decisionTargetMinutes: 0 } };
    await findFacts(ctx);
    expect(await noticesOf(ana)).toEqual([]);
    await Promise.all([findFacts(late), findFacts(late), findFacts(late)]);
    expect([await noticesOf(ana), await noticesOf(ben)]).toEqual([[`decision_overdue ${id}`], []]);
    await approve(ben.by, id);
    expect(await countUnread(ctx, ana.id)).toBe(0);
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
