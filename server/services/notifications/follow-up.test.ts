import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { NotificationKind } from "#domain/notification.ts";
import type { Context } from "#server/context.ts";
import { sendingDuty } from "#server/engines/notifications/duties.ts";
import { approveSettlement } from "#server/services/settlements/approve-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { rejectSettlement } from "#server/services/settlements/reject-settlement.ts";
import { localSender, testVault } from "#testing/callbacks.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setRate, TEST_CHAIN, type TestPartner } from "#testing/factories.ts";
import { addPerson, type TestPerson } from "#testing/people.ts";
import { openReceiver, type Receiver } from "#testing/stage/receiver.ts";
import { testContext } from "#testing/surface.ts";
import { findFacts } from "./find-facts.ts";
import { followUpDecisions } from "./follow-up.ts";
import { planMessages } from "./plan-messages.ts";
import { setRule, setWebhook } from "./set-wishes.ts";

/** What the chat of a person hears of a decision that it was asked for. */

const OPERATOR = { baseUrl: "https://console.example", brand: "Service" };
const WEBHOOK = { console: true, mail: false, webhook: true };

let database: TestDatabase;
let ctx: Context;
let partner: TestPartner;
let chat: Receiver;
let offsetMs = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  chat = await openReceiver();
  ctx = {
    ...testContext(database.db),
    clock: { now: () => new Date(Date.now() + offsetMs) },
    callbacks: localSender,
    vault: testVault,
  };
  partner = await addPartner(database.db, { name: "Harbour" });
  await addTerms(database.db, { maximumSourceMinor: 100n, twoApprovalsAboveMinor: 1_000_000n });
  await setRate(database.db, "0.0077");
});
afterAll(async () => {
  await chat.close();
  await database.close();
});
beforeEach(async () => {
  offsetMs = 0;
  chat.answer = (_request, response) => response.end("ok");
  chat.requests.length = 0;
  await database.sql`delete from notifications`;
  await database.sql`delete from notification_messages`;
  await database.sql`update users set disabled_at = now() where disabled_at is null`;
});

/** A person whose chat is asked for decisions. */
async function withChat(...kinds: NotificationKind[]): Promise<TestPerson> {
  const person = await addPerson(database.db, "approver");
  for (const kind of kinds) await setRule(ctx, { by: person.by, kind, rule: WEBHOOK });
  await setWebhook(ctx, { by: person.by, url: `${chat.origin}/hook` });
  return person;
}
const waiting = (amount = 500_000n) =>
  createSettlement(ctx, {
    ...partner,
    sourceAmountMinor: amount,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId: randomUUID(),
    chain: TEST_CHAIN.chain,
    walletAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    callbackUrl: "http://localhost:9/a",
  });
/** What the worker does within a few seconds. */
async function pass(): Promise<void> {
  await findFacts(ctx);
  await Promise.all([followUpDecisions(ctx), followUpDecisions(ctx)]);
  await Promise.all([planMessages(ctx), planMessages(ctx)]);
  await sendingDuty(ctx, OPERATOR, "webhook").run(new AbortController().signal);
  const underWay = () => database.sql`select 1 from notification_messages where lease_token is not null`;
  await expect.poll(async () => (await underWay()).length, { timeout: 30_000 }).toBe(0);
}
const said = () => chat.requests.map(({ body }) => String(JSON.parse(body).text));
const nameOf = async ({ id }: TestPerson) => (await database.sql`select name from users where id = ${id}`)[0]?.name;

it("hears who decided, once, however many workers look and however often", async () => {
  await withChat("approval_waits");
  const ben = await addPerson(database.db, "approver", null, { name: "Abel" });
  const { id } = await waiting();
  await pass();
  expect(said()).toHaveLength(1);
  await approveSettlement(ctx, { by: ben.by, id, note: "looks right", expectedExchangeRate: null });
  for (let round = 0; round < 3; round += 1) await pass();
  expect(said()).toHaveLength(2);
  const page = `https://console.example/console/settlements/${id}`;
  expect(said()[1]).toBe(`*Service: Approved by Abel: Harbour, ${id}*\n• <${page}|Approved by Abel: Harbour, ${id}>`);
});

it("hears a rejection, and one line where it was asked twice for the same settlement", async () => {
  await withChat("approval_waits", "second_yes");
  const [ben, cleo] = [await addPerson(database.db, "approver"), await addPerson(database.db, "approver")];
  const { id } = await waiting(2_000_000n);
  await pass();
  await approveSettlement(ctx, { by: ben.by, id, note: "looks right", expectedExchangeRate: null });
  await pass();
  // The first of two approvals decides nothing: the chat is asked for the second.
  expect(said().map((text) => text.includes("waits"))).toEqual([true, true]);
  await rejectSettlement(ctx, { by: cleo.by, id, reason: "not known here" });
  for (let round = 0; round < 2; round += 1) await pass();
  expect(said().slice(2)).toEqual([expect.stringContaining(`Rejected by ${await nameOf(cleo)}: Harbour, ${id}`)]);
});

it("hears nothing of what it was never asked for", async () => {
  await withChat("approval_waits");
  const ben = await addPerson(database.db, "approver");
  const [first, second] = [await waiting(), await waiting()];
  await findFacts(ctx);
  await planMessages(ctx);
  // Decided before the message goes out, which carries the other one only.
  await approveSettlement(ctx, { by: ben.by, id: first.id, note: "looks right", expectedExchangeRate: null });
  for (let round = 0; round < 3; round += 1) await pass();
  expect(said()).toEqual([expect.stringContaining(second.id)]);
  expect(said().join()).not.toContain(first.id);
});

it("hears it once from a worker that dies before its commit and the next one, and again under the same id only from a chat that failed", async () => {
  await withChat("approval_waits");
  const ben = await addPerson(database.db, "approver");
  const { id } = await waiting();
  await pass();
  await approveSettlement(ctx, { by: ben.by, id, note: "looks right", expectedExchangeRate: null });
  const dies = database.db.transaction(async (db) => {
    await followUpDecisions({ ...ctx, db });
    throw new Error("the worker dies");
  });
  await expect(dies).rejects.toThrow("the worker dies");
  chat.answer = (_request, response) => response.writeHead(503).end();
  await pass();
  chat.answer = (_request, response) => response.end("ok");
  offsetMs = 61_000;
  for (let round = 0; round < 2; round += 1) await pass();
  const ids = chat.requests.slice(1).map(({ headers }) => headers["webhook-id"]);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(await database.sql`select 1 from notifications where kind = 'decided'`).toHaveLength(1);
});
