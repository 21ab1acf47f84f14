import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { auditEntries } from "#db/schema/audit-log.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import { partners } from "#db/schema/partners.ts";
import { loginThrottles } from "#db/schema/people.ts";
import type { UserRole } from "#domain/access.ts";
import { verifyCallback } from "#sdk/typescript/src/index.ts";
import type { Context } from "#server/context.ts";
import { addSigningPartner, localSender, type SigningPartner, testVault } from "#testing/callbacks.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPerson } from "#testing/people.ts";
import { openReceiver, type Receiver } from "#testing/stage/receiver.ts";
import { testContext } from "#testing/surface.ts";
import { certifyReceiver, type ReceiverSheet } from "./certify-receiver.ts";

describe("a receiver that is certified from the console", () => {
  let database: TestDatabase;
  let partner: SigningPartner;
  let userId: string;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
    partner = await addSigningPartner(database.db);
    userId = (await addPerson(database.db, "owner", partner.partnerId)).id;
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await database.db.delete(loginThrottles);
  });
  afterAll(() => database.close());

  const receiver = async (answer: Receiver["answer"]) => {
    const opened = await openReceiver(answer);
    closing.push(() => opened.close());
    return opened;
  };
  const right: Receiver["answer"] = ({ headers, body }, response) => {
    const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    void verifyCallback({ headers: texts, body }, { callbackSecret: partner.callbackSecret }).then(
      () => response.end("{}"),
      () => response.writeHead(400).end(),
    );
  };
  const certify = (url: string, role: UserRole = "owner", more: Partial<Context> = {}): Promise<ReceiverSheet> =>
    certifyReceiver(
      { ...testContext(database.db), vault: testVault, callbacks: localSender, ...more },
      {
        partnerId: partner.partnerId,
        by: { actor: { type: "user", userId, role, partnerId: partner.partnerId }, requestId: "req_test" },
        url,
        brand: "Service",
        signal: new AbortController().signal,
      },
    );

  const certifiedAt = async () => {
    const [row] = await database.db.select().from(partners).where(eq(partners.id, partner.partnerId));
    return row?.receiverCertifiedAt ?? null;
  };

  it("passes where it is right; nothing is kept but who tried it, where, and that it passed", async () => {
    const endpoint = await receiver(right);
    const { passed, verdicts, untried } = await certify(`${endpoint.origin}/hook?shop=7`);
    expect(verdicts.filter((verdict) => !verdict.passed && verdict.name !== "soon")).toEqual([]);
    expect([untried, verdicts.length, passed || verdicts.at(-1)?.name]).toEqual([[], 31, true]);
    expect(new Set(endpoint.requests.map(({ target }) => target))).toEqual(new Set(["/hook?shop=7"]));
    expect(await database.db.$count(callbacks)).toBe(0);
    // Only its speed may have failed, on a busy machine.
    expect((await certifiedAt()) !== null).toBe(passed);
    const [entry] = await database.db.select().from(auditEntries).where(eq(auditEntries.action, "receiver.certified"));
    expect(entry).toMatchObject({ actorId: userId, partnerId: partner.partnerId, change: { host: new URL(endpoint.origin).host } });
  });

  it("fails where it believes everything, by what it should have refused", async () => {
    const endpoint = await receiver((_request, response) => response.end("{}"));
    await database.db.update(partners).set({ receiverCertifiedAt: null });
    const { passed, verdicts } = await certify(endpoint.origin);
    expect([passed, await certifiedAt()]).toEqual([false, null]);
    expect(verdicts.filter((verdict) => !verdict.passed).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["no signature", "foreign signature", "altered body", "altered id", "altered time", "old", "from the future"]),
    );
  });

  it("is not asked again and again where nobody answers", async () => {
    const { passed, verdicts, untried } = await certify("http://127.0.0.1:9/");
    expect([passed, verdicts.length, untried.length]).toEqual([false, 1, 29]);
    expect(verdicts[0]?.reason).toMatch(/no answer/);
  });

  it("is asked where callbacks may go, by whom may resend them, and not all the time", async () => {
    await expect(certify("http://10.0.0.1/inside")).rejects.toMatchObject({ code: "callback_url_not_allowed" });
    await expect(certify("http://127.0.0.1:9/", "staff")).rejects.toMatchObject({ code: "forbidden" });
    const now = new Date();
    const clock = { clock: { now: () => now } };
    for (let time = 0; time < 3; time += 1) await certify("http://127.0.0.1:9/", "owner", clock);
    await expect(certify("http://127.0.0.1:9/", "owner", clock)).rejects.toMatchObject({ code: "rate_limited" });
  });
});
