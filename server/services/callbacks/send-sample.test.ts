import { createHmac, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import postgres from "postgres";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { auditEntries } from "#db/schema/audit-log.ts";
import { callbackAttempts } from "#db/schema/callback-attempts.ts";
import { callbackSecrets } from "#db/schema/callback-secrets.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import { ledgerEntries } from "#db/schema/ledger.ts";
import { loginThrottles } from "#db/schema/people.ts";
import { settlements } from "#db/schema/settlements.ts";
import type { UserRole } from "#domain/access.ts";
import { isId } from "#domain/ids.ts";
import { verifyCallback } from "#sdk/typescript/src/index.ts";
import type { Context } from "#server/context.ts";
import { addSigningPartner, localSender, type SigningPartner, testVault } from "#testing/callbacks.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPerson } from "#testing/people.ts";
import { openReceiver, type Receiver } from "#testing/stage/receiver.ts";
import { type LogLine, testContext } from "#testing/surface.ts";
import { type SendSample, type SentSample, sendSample } from "./send-sample.ts";

describe("a sample callback", () => {
  let database: TestDatabase;
  let partner: SigningPartner;
  let userId: string;
  const lines: LogLine[] = [];
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

  const contextOf = (more: Partial<Context> = {}): Context => ({
    ...testContext(database.db, lines),
    // The clock is frozen, because the budget of tries refills with it.
    clock: { now: () => began },
    vault: testVault,
    callbacks: localSender,
    ...more,
  });
  const receiver = async (answer?: Receiver["answer"]) => {
    const opened = await openReceiver(answer);
    closing.push(() => opened.close());
    return opened;
  };
  const owner = (role: UserRole = "owner", partnerId: string | null = partner.partnerId) =>
    ({ actor: { type: "user", userId, role, partnerId }, requestId: "req_test" }) as const;
  const began = new Date();
  const send = (url: string, more: Partial<SendSample> = {}, ctx = contextOf()): Promise<SentSample> =>
    sendSample(ctx, {
      partnerId: partner.partnerId,
      by: owner(),
      event: "settlement.executed",
      url,
      brand: "Service",
      signal: new AbortController().signal,
      ...more,
    });
  /** As the real sender, with a deadline that a test can wait for. */
  const hasty = (timeoutMs: number) =>
    contextOf({ callbacks: { ...localSender, send: (call) => localSender.send({ ...call, timeoutMs }) } });

  it("goes out once, signed as a real one by every scheme, and the receiver's answer is shown", async () => {
    const endpoint = await receiver((_request, response) => response.writeHead(201, { "x-seen": "yes" }).end('{"received":true}'));
    const ctx = contextOf();
    const { id, body, attempt } = await send(`${endpoint.origin}/hook?a=1`, {}, ctx);
    expect(endpoint.requests).toHaveLength(1);
    const [request] = endpoint.requests;
    if (!request) throw new Error("nothing came");
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    expect(request).toMatchObject({ method: "POST", target: "/hook?a=1", body });
    expect(headers).toMatchObject({ "webhook-id": id, "content-type": "application/json" });
    expect(new Webhook(partner.callbackSecret).verify(request.body, headers)).toEqual(JSON.parse(body));
    const text = [headers["x-service-timestamp"], "POST", "/hook", "a=1", request.body].join("\n");
    expect(headers["x-service-signature"]).toBe(createHmac("sha256", partner.apiSecret).update(text, "utf8").digest("hex"));
    const publicly = (partnerId: string) =>
      verifyCallback({ headers, body: request.body }, { publicKeys: { keys: ctx.callbackKeys.jwksOf(partnerId) } });
    expect((await publicly(partner.partnerId)).id).toBe(id);
    await expect(publicly(randomUUID()), "by another partner's key").rejects.toThrow("no signature fits");
    expect(attempt.outcome).toMatchObject({ status: 201, trouble: null, responseBody: '{"received":true}', remoteAddress: "127.0.0.1" });
    expect(attempt.outcome.responseHeaders).toMatchObject({ "x-seen": "yes" });
    expect(attempt.requestHeaders).toMatchObject({ "webhook-id": id });
  });

  it("is known for a sample by its ids, which have the form of real ones and are new each time", async () => {
    const endpoint = await receiver();
    const sent = [await send(endpoint.origin), await send(endpoint.origin)];
    for (const { id, body } of sent) {
      expect(isId("callback", id)).toBe(true);
      expect(id).toMatch(/^cb_0{10}/);
      const { tx_id } = JSON.parse(body);
      expect(isId("settlement", tx_id)).toBe(true);
      expect(tx_id).toMatch(/^tx_0{10}/);
    }
    expect(new Set(sent.map(({ id }) => id)).size).toBe(2);
  });

  it.each([
    ["an error", 500, undefined],
    ["a redirect, which is not followed", 302, "/elsewhere"],
  ])("shows %s as it came, and is not sent again", async (_what, status, location) => {
    const endpoint = await receiver((_request, response) => response.writeHead(status, location ? { location } : {}).end("no"));
    const { attempt } = await send(endpoint.origin);
    expect(attempt.outcome).toMatchObject({ status, responseBody: "no", trouble: { kind: "status" } });
    expect(endpoint.requests).toHaveLength(1);
  });

  it("keeps 4 KiB of the answer", async () => {
    const endpoint = await receiver((_request, response) => response.end("x".repeat(6_000)));
    const { outcome } = (await send(endpoint.origin)).attempt;
    expect(outcome.responseBody).toHaveLength(4_096);
    expect(outcome.responseBytes).toBe(6_000);
  });

  it("ends at the deadline, and holds neither transaction nor connection while the receiver hangs", async () => {
    const endpoint = await receiver(() => {});
    const pending = send(endpoint.origin, {}, hasty(600));
    await endpoint.received(1);
    // Only the owner sees what other sessions do.
    const owner = postgres(database.url, { max: 1 });
    const [{ busy } = { busy: -1 }] = await owner<{ busy: number }[]>`
      select count(*)::int as busy from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and (state <> 'idle' or xact_start is not null)
        and backend_type = 'client backend'`;
    await owner.end();
    expect(busy).toBe(0);
    const { attempt } = await pending;
    expect(attempt.outcome).toMatchObject({ status: null, trouble: { kind: "timeout" } });
  });

  it("says so when nobody listens, and refuses an address that callbacks must not reach before anything is sent", async () => {
    const gone = await openReceiver();
    await gone.close();
    expect((await send(gone.origin)).attempt.outcome.trouble).toMatchObject({ kind: "refused" });
    for (const url of ["http://10.0.0.1/", "http://169.254.169.254/latest", "http://[::1]:9/"])
      await expect(send(url)).rejects.toMatchObject({ code: "callback_url_not_allowed", particulars: { errors: [{ pointer: "/url" }] } });
    await expect(send("ftp://example.org/")).rejects.toMatchObject({ code: "validation_failed" });
  });

  it("is judged once more when it is sent: a name that has come to lead inside is blocked", async () => {
    const ctx = contextOf({ callbacks: { ...localSender, judge: async () => ({ verdict: "allowed" }) } });
    const { attempt } = await send("http://10.0.0.1/", {}, ctx);
    expect(attempt.outcome).toMatchObject({ requestHeaders: null, trouble: { kind: "blocked_address" } });
  });

  it("is called off when the process ends", async () => {
    const endpoint = await receiver(() => {});
    const ending = new AbortController();
    const pending = send(endpoint.origin, { signal: ending.signal });
    await endpoint.received(1);
    ending.abort();
    await expect(pending).rejects.toMatchObject({ code: "temporarily_unavailable" });
  });

  it("leaves nothing but an audit entry that names the host alone", async () => {
    const endpoint = await receiver();
    const before = await entries();
    const { id } = await send(`${endpoint.origin}/a/secret-path?token=secret`);
    const added = (await entries()).slice(before.length);
    expect(added).toMatchObject([
      { action: "callback.tested", objectId: id, partnerId: partner.partnerId, actorId: userId, requestId: "req_test" },
    ]);
    expect(added[0]?.change).toEqual({ event: "settlement.executed", host: `127.0.0.1:${endpoint.port}` });
    for (const table of [callbacks, callbackAttempts, settlements, ledgerEntries]) expect(await database.db.$count(table)).toBe(0);
    expect(JSON.stringify(lines)).not.toContain("secret-path");
  });
  const entries = () => database.db.select().from(auditEntries).where(eq(auditEntries.action, "callback.tested")).orderBy(auditEntries.id);

  it("goes out ten times at once and no more, however many ask; another partner's are counted apart", async () => {
    const endpoint = await receiver();
    const asked = await Promise.allSettled(Array.from({ length: 14 }, () => send(endpoint.origin)));
    const refused = asked.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused).toHaveLength(4);
    for (const refusal of refused) expect(refusal).toMatchObject({ code: "rate_limited", message: expect.stringContaining("seconds") });
    for (const { particulars } of refused) expect(particulars.retryAfterSeconds).toBeGreaterThan(0);
    expect(endpoint.requests).toHaveLength(10);
    const other = await addSigningPartner(database.db);
    await send(endpoint.origin, { partnerId: other.partnerId, by: owner("owner", other.partnerId) });
    expect(endpoint.requests).toHaveLength(11);
  });

  it("may be sent only by an owner of that partner", async () => {
    const endpoint = await receiver();
    const other = await addSigningPartner(database.db);
    for (const by of [owner("staff"), owner("admin", null), owner("approver", null), owner("owner", other.partnerId)])
      await expect(send(endpoint.origin, { by })).rejects.toMatchObject({ code: "forbidden" });
    expect(endpoint.requests).toHaveLength(0);
  });

  it("is never sent unsigned: without a callback secret it is refused", async () => {
    const endpoint = await receiver();
    const bare = await addSigningPartner(database.db);
    await database.db.delete(callbackSecrets).where(eq(callbackSecrets.partnerId, bare.partnerId));
    const asked = send(endpoint.origin, { partnerId: bare.partnerId, by: owner("owner", bare.partnerId) });
    await expect(asked).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("callback secret") });
    expect(endpoint.requests).toHaveLength(0);
  });
});
