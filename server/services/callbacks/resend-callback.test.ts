import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { auditEntries } from "#db/schema/audit-log.ts";
import type { By, UserRole } from "#domain/access.ts";
import { newId } from "#domain/ids.ts";
import type { Refusal } from "#domain/refusal.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { listCallbacks } from "#server/services/settlements/list-settlement-callbacks.ts";
import {
  addSigningPartner,
  enqueueTestCallback,
  eventually,
  localSender,
  moveClockTo,
  type SigningPartner,
  startDelivery,
} from "#testing/callbacks.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setRate, TEST_CHAIN, testChains } from "#testing/factories.ts";
import { openReceiver, type Receiver } from "#testing/stage/receiver.ts";
import { listUndeliveredCallbacks } from "./read-callbacks.ts";
import { checkResend, resendCallback } from "./resend-callback.ts";

let database: TestDatabase;
let partner: SigningPartner;
let stranger: SigningPartner;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  await addTerms(database.db);
  await setRate(database.db, "0.0077");
  partner = await addSigningPartner(database.db);
  stranger = await addSigningPartner(database.db);
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => database.close());

async function receiver(answer?: Receiver["answer"]): Promise<Receiver> {
  const opened = await openReceiver(answer);
  closing.push(() => opened.close());
  return opened;
}

async function addSettlement(): Promise<string> {
  const settlement = await createSettlement(
    { db: database.db, chains: testChains },
    {
      partnerId: partner.partnerId,
      apiKeyId: partner.apiKeyId,
      by: partner.by,
      sourceAmountMinor: 1_000_000n,
      sourceCurrency: "KES",
      destinationCurrency: "USDT",
      externalMerchantId: "shop-1",
      chain: TEST_CHAIN.chain,
      walletAddress: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
      callbackUrl: null,
    },
  );
  return settlement.id;
}

const ctx = () => ({ db: database.db, callbacks: localSender });
const list = (settlementId: string, who = partner) => listCallbacks({ db: database.db }, { partnerId: who.partnerId, settlementId });
/** As the surface does: first the network checks, then the change. */
async function resend(settlementId: string, callbackId: string, who: SigningPartner | null = partner) {
  const by = who === null ? byUser("approver", null) : who.by;
  const command = { partnerId: who?.partnerId ?? null, by, settlementId, callbackId };
  await checkResend(ctx(), command);
  return await resendCallback({ db: database.db }, command);
}
function byUser(role: UserRole, partnerId: string | null): By {
  return { actor: { type: "user", userId: randomUUID(), role, partnerId }, requestId: null };
}
const stateOf = (settlementId: string, state: string) =>
  eventually(async () =>
    (await list(settlementId)).find((callback) => callback.state === state && callback.attempts.at(-1)?.durationMs !== null),
  );

describe("resending a callback", () => {
  it("starts six attempts again with the same id and body, and keeps the attempts of before", async () => {
    const endpoint = await receiver((_request, response) => response.writeHead(500).end());
    const worker = startDelivery(database);
    closing.unshift(() => worker.stop());
    const settlementId = await addSettlement();
    const { id } = await enqueueTestCallback(database.db, partner, endpoint.origin, { subjectId: settlementId, body: '{"n":1}' });
    for (let number = 1; number < 6; number += 1) {
      const due = await eventually(async () => {
        const [callback] = await list(settlementId);
        const over = callback?.attempts.length === number && callback.attempts.at(-1)?.durationMs !== null;
        return over ? callback.nextAttemptAt : null;
      });
      await moveClockTo(database.db, due);
    }
    const undelivered = await stateOf(settlementId, "undelivered");
    expect(
      (await listUndeliveredCallbacks({ db: database.db }, [settlementId, newId("settlement", new Date())])).get(settlementId),
    ).toEqual([undelivered]);
    expect(undelivered).toMatchObject({ id, series: 1, nextAttemptAt: null, deliveredAt: null, body: '{"n":1}' });

    const pending = await resend(settlementId, id);
    expect(pending).toMatchObject({ id, state: "pending", series: 2, undeliveredAt: null, nextAttemptAt: expect.any(Date) });
    await endpoint.received(7);
    await eventually(async () => ((await list(settlementId))[0]?.attempts[6]?.durationMs === null ? null : true));
    endpoint.answer = (_request, response) => response.end();
    const [again] = await list(settlementId);
    expect(again?.attempts.map(({ series, number }) => `${series}.${number}`)).toEqual(["1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "2.1"]);
    expect(Number(again?.nextAttemptAt) - Number(again?.attempts[6]?.sentAt)).toBeGreaterThanOrEqual(60_000);
    expect((await listUndeliveredCallbacks({ db: database.db }, [settlementId])).size).toBe(0);
    await moveClockTo(database.db, again?.nextAttemptAt ?? new Date(0));
    expect(await stateOf(settlementId, "delivered")).toMatchObject({ series: 2, undeliveredAt: null });

    expect(await resend(settlementId, id)).toMatchObject({ state: "pending", series: 3, deliveredAt: null });
    expect(await stateOf(settlementId, "delivered")).toMatchObject({ series: 3 });
    expect(new Set(endpoint.requests.map((request) => `${request.headers["webhook-id"]} ${request.body}`))).toEqual(
      new Set([`${id} {"n":1}`]),
    );
    const entries = (await database.db.select().from(auditEntries)).filter((entry) => entry.action === "callback.resent");
    expect(entries.map((entry) => [entry.objectId, entry.actorType, entry.partnerId])).toEqual([
      [id, "api_key", partner.partnerId],
      [id, "api_key", partner.partnerId],
    ]);
  });

  it("refuses while it is pending, and names the settlement's status", async () => {
    const settlementId = await addSettlement();
    const { id } = await enqueueTestCallback(database.db, partner, "http://127.0.0.1:9/", { subjectId: settlementId });
    await expect(resend(settlementId, id)).rejects.toMatchObject({
      code: "invalid_state",
      particulars: { members: { settlement_status: "quoted" } },
    });
  });

  it("by its own id alone is one of one's own partner's, whatever it reports", async () => {
    const order = newId("withdrawal", new Date());
    const { id: callbackId } = await enqueueTestCallback(database.db, partner, "http://127.0.0.1:9/", { subjectId: order });
    const begin = (who: SigningPartner) => resendCallback({ db: database.db }, { partnerId: who.partnerId, by: who.by, callbackId });
    await expect(begin(stranger)).rejects.toMatchObject({ code: "callback_not_found" });
    await expect(begin(partner)).rejects.toMatchObject({ code: "invalid_state" });
    await database.sql`update callbacks set state = 'delivered', due_at = null, delivered_at = now() where id = ${callbackId}`;
    expect(await begin(partner)).toMatchObject({ id: callbackId, state: "pending", series: 2 });
  });

  it("lets one of two win", async () => {
    const settlementId = await addSettlement();
    const { id } = await enqueueTestCallback(database.db, partner, "http://127.0.0.1:9/", { subjectId: settlementId });
    await database.sql`update callbacks set state = 'delivered', due_at = null, delivered_at = now() where id = ${id}`;
    const results = await Promise.allSettled([resend(settlementId, id), resend(settlementId, id), resend(settlementId, id, null)]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await list(settlementId))[0]?.series).toBe(2);
  });

  it("is for a partner's owner and for operators who may resend, not for those who only read", async () => {
    const settlementId = await addSettlement();
    const { id } = await enqueueTestCallback(database.db, partner, "http://127.0.0.1:9/", { subjectId: settlementId });
    const { partnerId } = partner;
    const attempt = (by: By, owner: string | null) =>
      resendCallback({ db: database.db }, { partnerId: owner, by, settlementId, callbackId: id }).then(
        () => "done",
        (error: Refusal) => error.code,
      );
    expect(await attempt(byUser("viewer", null), null)).toBe("forbidden");
    expect(await attempt(byUser("owner", partnerId), null)).toBe("forbidden");
    expect(await attempt(partner.by, null)).toBe("forbidden");
    expect(await attempt(byUser("staff", partnerId), partnerId)).toBe("forbidden");
    expect(await attempt(byUser("owner", partnerId), partnerId)).toBe("invalid_state");
    expect(await attempt(byUser("admin", null), null)).toBe("invalid_state");
  });

  it("knows neither a foreign settlement, nor a callback of another one, nor what is no id", async () => {
    const settlementId = await addSettlement();
    const other = await addSettlement();
    const { id } = await enqueueTestCallback(database.db, partner, "http://127.0.0.1:9/", { subjectId: settlementId });
    await expect(resend(settlementId, id, stranger)).rejects.toMatchObject({ code: "settlement_not_found" });
    await expect(resend("tx_nonsense", id)).rejects.toMatchObject({ code: "settlement_not_found" });
    await expect(resend(newId("settlement", new Date()), id)).rejects.toMatchObject({ code: "settlement_not_found" });
    await expect(resend(other, id)).rejects.toMatchObject({ code: "callback_not_found" });
    await expect(resend(settlementId, newId("callback", new Date()))).rejects.toMatchObject({ code: "callback_not_found" });
    await expect(resend(settlementId, "' or true --")).rejects.toMatchObject({ code: "callback_not_found" });
    await expect(list(settlementId, stranger)).rejects.toMatchObject({ code: "settlement_not_found" });
    await expect(list("nothing")).rejects.toMatchObject({ code: "settlement_not_found" });
    expect(await list(other)).toEqual([]);
  });

  it("judges everything but the URL again when it begins: much may have happened while DNS was asked", async () => {
    const settlementId = await addSettlement();
    const { id: callbackId } = await enqueueTestCallback(database.db, partner, "http://127.0.0.1:9/", { subjectId: settlementId });
    const begin = (who: SigningPartner, id = callbackId) =>
      resendCallback({ db: database.db }, { partnerId: who.partnerId, by: who.by, settlementId, callbackId: id });
    await expect(begin(partner)).rejects.toMatchObject({ code: "invalid_state" });
    await expect(begin(stranger)).rejects.toMatchObject({ code: "settlement_not_found" });
    await expect(begin(partner, "nothing")).rejects.toMatchObject({ code: "callback_not_found" });
  });

  it("refuses a URL that has come to lead where callbacks must not go", async () => {
    const settlementId = await addSettlement();
    const { id } = await enqueueTestCallback(database.db, partner, "http://10.0.0.1/", { subjectId: settlementId });
    await database.sql`update callbacks set state = 'undelivered', due_at = null, undelivered_at = now() where id = ${id}`;
    await expect(resend(settlementId, id)).rejects.toMatchObject({ code: "callback_url_not_allowed" });
    expect((await list(settlementId))[0]).toMatchObject({ state: "undelivered", series: 1 });
  });
});
