import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_RETENTION } from "#domain/retention.ts";
import { personProcedure, router } from "#server/console/trpc/init.ts";
import { liveHub } from "#server/console/trpc/live-hub.ts";
import type { Context } from "#server/context.ts";
import type { Binding } from "#server/rest/bind.ts";
import { ECHO } from "#server/rest/echo.ts";
import { settlementSurface } from "#server/rest/settlement-surface.ts";
import { handle } from "#server/rest/surface.ts";
import { NO_API_LOG } from "#server/services/access/log-api-requests.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { addPartner } from "./factories.ts";
import { addPerson } from "./people.ts";
import { issueKey, readAnswer, signedRequest, testContext, testSurfaceContext } from "./surface.ts";

/** Both surfaces give a partner's operation a database that is limited to its rows: these operations forget to filter. */

let database: TestDatabase;
let ctx: Context;
let theirs: string;

beforeAll(async () => {
  database = await createTestDatabase();
  ctx = testContext(database.db);
  theirs = (await addPartner(database.db)).partnerId;
});
afterAll(() => database.close());

async function partnersSeen({ db }: Pick<Context, "db">): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`select id from partners union select partner_id from api_keys order by 1`);
  return rows.map(({ id }) => id);
}

describe.each(["read", "write"] as const)("a signed request that forgets whose rows it wants (%s)", (kind) => {
  it.each([{}, { "Idempotency-Key": randomUUID() }])("is shown its partner's", async (headers) => {
    const key = await issueKey(ctx);
    const seen: string[][] = [];
    const { unread: _, ...judged } = ECHO.operation;
    const forgetful: Binding = {
      ...ECHO,
      operation: { ...judged, kind },
      read: (...request) => {
        const prepare = ECHO.read(...request);
        return async (before) => {
          seen.push(await partnersSeen(before));
          const run = await prepare(before);
          return async (within) => {
            seen.push(await partnersSeen(within));
            return await run(within);
          };
        };
      },
    };
    const request = signedRequest(key, { method: "POST", target: "/api/v1/echo", headers });
    const { status } = readAnswer(await handle(settlementSurface, testSurfaceContext(ctx), [forgetful], request));
    expect([status, ...seen]).toEqual([200, [key.partnerId], [key.partnerId]]);
  });
});

describe("a procedure of the console that does not say whose rows it reads", () => {
  const forgetful = router({ partners: personProcedure.query(({ ctx: { services } }) => partnersSeen(services)) });

  async function seenBy(role: "staff" | "viewer", partnerId: string | null): Promise<string[]> {
    const { id, email } = await addPerson(database.db, role, partnerId);
    const times = {
      lastSeenAt: new Date(),
      expiresAt: new Date(Date.now() + 60_000),
      steppedUpAt: null,
      steppedUpByCode: false,
      provenByProvider: false,
    };
    const who = { userId: id, email, name: "Sam", role, partnerId, partnerName: null, viewedBy: null, hasTotp: false, hasPasskey: false };
    const holder = { ...who, ...times, sessionId: randomUUID(), sidHash: randomUUID() };
    const caller = forgetful.createCaller({
      services: ctx,
      live: liveHub(ctx),
      settings: SETTINGS,
      apiLog: NO_API_LOG,
      ending: new AbortController().signal,
      holder,
      readHolder: async () => holder,
      renewCookie: async () => {},
      requestId: null,
      lapsesAt: null,
      address: "10.1.1.1",
    });
    return await caller.partners();
  }

  it("shows a partner's people its own, and the operator's everybody's", async () => {
    const ours = (await addPartner(database.db)).partnerId;
    expect(await seenBy("staff", ours)).toEqual([ours]);
    expect(await seenBy("viewer", null)).toEqual(expect.arrayContaining([ours, theirs]));
  });
});

const SETTINGS = {
  mode: "sandbox",
  brand: "Service",
  baseUrl: "http://localhost",
  rateMaxAgeSeconds: 120,
  retention: DEFAULT_RETENTION,
  rateSource: "fixed",
  rateLimits: { writesPerSecond: 0, readsPerSecond: 0 },
  trustedProxies: [],
  webDatabaseConnections: 20,
  callbackAllowedHosts: [],
  playMoney: true,
} as const;
