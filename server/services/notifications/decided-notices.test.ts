import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "#server/context.ts";
import { approveSettlement } from "#server/services/settlements/approve-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { rejectSettlement } from "#server/services/settlements/reject-settlement.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setRate, TEST_CHAIN, type TestPartner } from "#testing/factories.ts";
import { addPerson } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { findFacts } from "./find-facts.ts";
import { countUnread, endDecided, listNotifications } from "./read-notifications.ts";

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

type Person = Awaited<ReturnType<typeof addPerson>>;

/** Awaits a decision; `amount` above a million minor units: of two people. */
const waiting = (externalMerchantId: string = randomUUID(), amount = 500_000n) =>
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
const approve = (person: Person, id: string) =>
  approveSettlement(ctx, { by: person.by, id, note: "looks right", expectedExchangeRate: null });
const shown = async (person: Person) => (await listNotifications(ctx, person.by.actor)).map(({ subject, isRead }) => ({ subject, isRead }));
const unread = (...people: Person[]) => Promise.all(people.map(({ id }) => countUnread(ctx, id)));

describe("a notice of a settlement", () => {
  it("names amount, merchant and partner while it waits, and who decided afterwards", async () => {
    const [ana, ben] = [await addPerson(database.db, "approver"), await addPerson(database.db, "approver")];
    const { id } = await waiting("harbour-01");
    await findFacts(ctx);
    const [{ name: partnerName } = {}] = await database.sql`select name from partners where id = ${partner.partnerId}`;
    const [{ name } = {}] = await database.sql`select name from users where id = ${ben.id}`;
    const subject = { id, amount: "5000.00", currency: "KES", merchant: "harbour-01", partner: partnerName };
    expect(await shown(ana)).toEqual([{ subject: { ...subject, outcome: "open", by: null }, isRead: false }]);
    expect(await unread(ana, ben)).toEqual([1, 1]);

    await approve(ben, id);
    expect(await shown(ana)).toEqual([{ subject: { ...subject, outcome: "approved", by: name }, isRead: true }]);
    expect(await unread(ana, ben)).toEqual([0, 0]);
    await endDecided(ctx);
    expect(await database.sql`select 1 from notifications where read_at is null`).toHaveLength(0);
  });

  it("that was rejected says so, and one whose settlement the partner cancelled says that nothing is left to decide", async () => {
    const [ana, ben] = [await addPerson(database.db, "approver"), await addPerson(database.db, "approver")];
    const [rejected, gone] = [await waiting(), await waiting()];
    await findFacts(ctx);
    await rejectSettlement(ctx, { by: ben.by, id: rejected.id, reason: "not known" });
    await database.sql`update settlements set status = 'cancelled', cancelled_at = (select business_now()) where id = ${gone.id}`;
    const outcomes = (await listNotifications(ctx, ana.by.actor)).map(({ subject }) => `${subject?.id} ${subject?.outcome}`);
    expect(outcomes.sort()).toEqual([`${rejected.id} rejected`, `${gone.id} closed`].sort());
    expect(await unread(ana)).toEqual([0]);
  });

  it("leaves the count of the person who gave the first of two approvals, and asks every other once, for the second", async () => {
    const people = [await addPerson(database.db, "approver"), await addPerson(database.db, "approver")] as const;
    const { id } = await waiting("two", 2_000_000n);
    await findFacts(ctx);
    expect(await unread(...people)).toEqual([1, 1]);
    await approve(people[0], id);
    await findFacts(ctx);
    expect(await unread(...people)).toEqual([0, 1]);
    const ofOther = (await listNotifications(ctx, people[1].by.actor)).map(({ kind, isRead }) => `${kind} ${isRead ? "read" : "unread"}`);
    expect(ofOther).toEqual(["second_yes unread", "approval_waits read"]);
    await approve(people[1], id);
    expect(await unread(...people)).toEqual([0, 0]);
  });
});

describe("a notice of a proposal", () => {
  it("leaves the count once the proposal is carried out or withdrawn, and says by whom", async () => {
    const ana = await addPerson(database.db, "admin");
    const [id, proposer] = [`pr_${randomUUID()}`, randomUUID()];
    await database.sql`insert into proposals (id, kind, subject, body, proposer_type, proposer_id, proposer_name, proposed_at)
      values (${id}, 'lift_halt', ${id}, '{}', 'user', ${proposer}, 'Ben', business_now())`;
    await findFacts(ctx);
    expect(await unread(ana)).toEqual([1]);
    await database.sql`update proposals set outcome = 'withdrawn', decided_at = business_now(), decider_type = 'user',
      decider_id = ${proposer}, decider_name = 'Ben' where id = ${id}`;
    expect(await unread(ana)).toEqual([0]);
    expect(await shown(ana)).toEqual([
      { subject: { id, amount: null, currency: null, merchant: null, partner: null, outcome: "withdrawn", by: "Ben" }, isRead: true },
    ]);
  });
});
