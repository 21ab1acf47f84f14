import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "#domain/ids.ts";
import type { Context } from "#server/context.ts";
import { readApiRequest } from "#server/services/access/list-api-requests.ts";
import { openApiLog } from "#server/services/access/log-api-requests.ts";
import { TEST_CONSOLE_SETTINGS } from "#testing/console-web.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner } from "#testing/factories.ts";
import { addPerson } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { appRouter } from "./router.ts";
import { liveHub } from "./trpc/live-hub.ts";

describe("a refused call of the console", () => {
  let database: TestDatabase;
  let ctx: Context;
  beforeAll(async () => {
    database = await createTestDatabase();
    ctx = testContext(database.db);
  });
  afterAll(() => database.close());

  it("is kept under its request id, for its own partner's people and the operator's", async () => {
    const { partnerId } = await addPartner(database.db);
    const { id, email } = await addPerson(database.db, "staff", partnerId);
    const times = {
      lastSeenAt: new Date(),
      expiresAt: new Date(Date.now() + 60_000),
      steppedUpAt: null,
      steppedUpByCode: false,
      provenByProvider: false,
    };
    const who = {
      userId: id,
      email,
      name: "Sam",
      role: "staff" as const,
      partnerId,
      partnerName: "Ours",
      viewedBy: null,
      hasTotp: false,
      hasPasskey: false,
    };
    const holder = { ...who, ...times, sessionId: randomUUID(), sidHash: randomUUID() };
    const apiLog = openApiLog(ctx);
    const requestId = newId("request", new Date());
    const context = {
      services: ctx,
      live: liveHub(ctx),
      ending: new AbortController().signal,
      apiLog,
      holder,
      readHolder: async () => holder,
      renewCookie: async () => {},
      requestId,
      lapsesAt: null,
    };
    const caller = appRouter.createCaller({ ...context, settings: TEST_CONSOLE_SETTINGS, address: "10.1.1.1" });
    await expect(caller.settlements.byId({ tx_id: "tx_none" })).rejects.toMatchObject({ cause: { code: "settlement_not_found" } });
    await apiLog.drain();
    const kept = {
      surface: "console",
      operation: "settlements.byId",
      status: 404,
      code: "settlement_not_found",
      personName: expect.any(String),
    };
    for (const partner of [partnerId, null]) expect(await readApiRequest(ctx, { partnerId: partner, requestId })).toMatchObject(kept);
    await expect(readApiRequest(ctx, { partnerId: randomUUID(), requestId })).rejects.toMatchObject({ code: "not_found" });
  });

  it("that was to change something is one that arrived when nobody waited for it any more; reading never lapses", async () => {
    const { id, email } = await addPerson(database.db, "approver", null);
    const times = {
      lastSeenAt: new Date(),
      expiresAt: new Date(Date.now() + 60_000),
      steppedUpAt: null,
      steppedUpByCode: false,
      provenByProvider: false,
    };
    const who = { userId: id, email, name: "Ana", role: "approver" as const, partnerId: null, partnerName: null, viewedBy: null };
    const holder = { ...who, ...times, hasTotp: false, hasPasskey: false, sessionId: randomUUID(), sidHash: randomUUID() };
    const context = {
      services: ctx,
      live: liveHub(ctx),
      ending: new AbortController().signal,
      apiLog: openApiLog(ctx),
      holder,
      readHolder: async () => holder,
      renewCookie: async () => {},
    };
    const callerUntil = (lapsesAt: string | null) =>
      appRouter.createCaller({ ...context, requestId: null, lapsesAt, settings: TEST_CONSOLE_SETTINGS, address: "10.1.1.1" });
    const late = callerUntil(new Date(Date.now() - 1).toISOString());
    const inTime = callerUntil(new Date(Date.now() + 60_000).toISOString());
    await expect(late.account.rename({ name: "Late" })).rejects.toMatchObject({ cause: { code: "conflict" } });
    expect((await late.session.me()).user_id).toBe(id);
    await expect(inTime.account.rename({ name: "In time" })).resolves.toBeDefined();
    await expect(callerUntil("no instant").account.rename({ name: "Unknown" })).resolves.toBeDefined();
  });
});
