import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { applicationRole } from "#db/application-role.ts";
import { type OpenDatabase, openDatabase } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { openReplica, type Replica } from "#db/replica.ts";
import { DEFAULT_RETENTION } from "#domain/retention.ts";
import type { Settlement } from "#domain/settlement.ts";
import { startTemporaryPostgres, type TemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { answerMetrics } from "#server/rest/system-surface.ts";
import { answerTroubles } from "#server/rest/troubles.ts";
import { NO_API_LOG } from "#server/services/access/log-api-requests.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { addPartner, addTerms, setRate } from "#testing/factories.ts";
import { addPerson } from "#testing/people.ts";
import { startReplica, type TestReplica } from "#testing/replica.ts";
import { noScreening } from "#testing/screening.ts";
import { testContext } from "#testing/surface.ts";
import { appRouter } from "./router.ts";
import type { ConsoleSettings } from "./trpc/context.ts";
import { liveHub } from "./trpc/live-hub.ts";

const DATABASE = "replicated";
const MAXIMUM_LAG_SECONDS = 3;
const SETTINGS: ConsoleSettings = {
  mode: "sandbox",
  brand: "Service",
  baseUrl: "http://localhost:3000",
  rateSource: "fixed",
  rateMaxAgeSeconds: 120,
  retention: DEFAULT_RETENTION,
  rateLimits: { writesPerSecond: 0, readsPerSecond: 0 },
  trustedProxies: [],
  callbackAllowedHosts: [],
  playMoney: true,
};

let server: TemporaryPostgres;
let standby: TestReplica;
let primary: OpenDatabase;
let replica: Replica;
let url: string;
/** The queries that the replica got, except for its position. */
const asked: string[] = [];

beforeAll(async () => {
  server = await startTemporaryPostgres();
  const admin = openDatabase({ url: server.adminUrl, applicationName: "test", maxConnections: 1 });
  await admin.sql`create database ${admin.sql(DATABASE)}`;
  await admin.close();
  const at = new URL(server.adminUrl);
  at.pathname = `/${DATABASE}`;
  url = at.href;
  const role = await migrate(url);
  expect(role).toBe(applicationRole(DATABASE));
  primary = openDatabase({ url, applicationName: "primary", maxConnections: 4, role });
  await addTerms(primary.db, { maximumSourceMinor: 10_000n });
  await setRate(primary.db, "0.0077");
  standby = await startReplica(server);
  replica = open();
});
afterAll(async () => {
  await replica.close();
  await primary.close();
  await standby.stop();
  await server.stop();
});

function open(maximumLagSeconds = MAXIMUM_LAG_SECONDS): Replica {
  return openReplica({
    url: standby.urlOf(url),
    applicationName: "reads",
    maxConnections: 4,
    role: applicationRole(DATABASE),
    primary: primary.db,
    maximumLagSeconds,
    lookEveryMs: 100,
    onStatement: (text) => void (text.includes("pg_last_wal_replay_lsn") || asked.push(text)),
  });
}

async function callerOf(role: "approver" | "staff", partnerId: string | null, reads: Replica | null = replica) {
  const { id, email } = await addPerson(primary.db, role, partnerId);
  const times = {
    lastSeenAt: new Date(),
    expiresAt: new Date(Date.now() + 60_000),
    steppedUpAt: new Date(),
    steppedUpByCode: false,
    provenByProvider: false,
  };
  const who = { userId: id, email, name: "Ana", role, partnerId, partnerName: null, viewedBy: null, hasTotp: false, hasPasskey: false };
  const holder = { ...who, ...times, sessionId: randomUUID(), sidHash: randomUUID() };
  const services = testContext(primary.db);
  return appRouter.createCaller({
    services,
    live: liveHub(services),
    settings: SETTINGS,
    apiLog: NO_API_LOG,
    ending: new AbortController().signal,
    holder,
    readHolder: async () => holder,
    renewCookie: async () => {},
    requestId: null,
    lapsesAt: null,
    address: "10.1.1.1",
    replica: reads,
  });
}

/** One above the pair's maximum: it awaits a decision. */
async function waiting(partner: Awaited<ReturnType<typeof addPartner>>): Promise<Settlement> {
  const asks = { sourceAmountMinor: 20_000n, sourceCurrency: "KES", destinationCurrency: "USDT", externalMerchantId: "m" };
  const to = { chain: "eip155:31337", walletAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" };
  return await createSettlement(testContext(primary.db), { ...partner, ...asks, ...to, callbackUrl: null });
}
const near = () => expect.poll(() => replica.state()).toMatchObject({ isRead: true });
const all = { limit: 50, direction: "older" } as const;
const stateIn = (list: { data: readonly { settlement: { tx_id: string; approval_state: string | null } }[] }, id: string) =>
  list.data.find(({ settlement }) => settlement.tx_id === id)?.settlement.approval_state;

describe("a replica that lists are read from", () => {
  it("shows them while it is near enough, each partner's people their own alone, and is asked for nothing else", async () => {
    await near();
    const [ours, theirs] = [await addPartner(primary.db), await addPartner(primary.db)];
    const [one, other] = [await waiting(ours), await waiting(theirs)];
    const operator = await callerOf("approver", null);
    for (const { id } of [one, other]) await expect.poll(async () => stateIn(await operator.settlements.list(all), id)).toBe("pending");
    const before = asked.length;
    const partners = await (await callerOf("staff", ours.partnerId)).settlements.list(all);
    expect(asked.length).toBeGreaterThan(before);
    expect(partners.data.map(({ settlement }) => settlement.tx_id)).toEqual([one.id]);
    expect(stateIn(await operator.settlements.list(all), other.id)).toBe("pending");
    await operator.overview.figures({ range: "24h" });
    await operator.audit.list(all);
  });

  it("is never asked for what is decided on: with its replay paused a decision shows at once, and lists are old, then not read there", async () => {
    await near();
    const settlement = await waiting(await addPartner(primary.db));
    const operator = await callerOf("approver", null);
    await expect.poll(async () => stateIn(await operator.settlements.list(all), settlement.id)).toBe("pending");
    await standby.pause();
    asked.length = 0;
    await operator.approvals.list();
    await operator.approvals.reject({ tx_id: settlement.id, reason: "it is none of theirs" });
    expect(stateIn(await operator.settlements.list(all), settlement.id)).toBe("pending");
    expect((await operator.settlements.byId({ tx_id: settlement.id })).settlement.approval_state).toBe("rejected");
    expect(asked.filter((text) => text.includes("settlement"))).toHaveLength(1);
    await expect(operator.approvals.reject({ tx_id: settlement.id, reason: "once more, to be sure" })).rejects.toThrow();

    await expect.poll(() => replica.state()).toMatchObject({ isRead: false });
    expect(replica.state().lagSeconds).toBeGreaterThan(MAXIMUM_LAG_SECONDS);
    expect(stateIn(await operator.settlements.list(all), settlement.id)).toBe("rejected");
    const access = { mode: "sandbox", metricsToken: null } as const;
    const figures = async () =>
      await (await answerMetrics({ db: primary.db, screener: noScreening }, access, new Headers(), replica)).text();
    expect(await figures()).toMatch(/^settlement_database_replica_read 0$/m);
    expect(await figures()).toMatch(/^settlement_database_replica_lag_seconds [3-9]|\d\d/m);
    const troubles = async (partnerId: string | null) =>
      JSON.parse(await (await answerTroubles(testContext(primary.db), async () => ({ partnerId }), replica)).text()).troubles;
    const replicaTroubles = async () => (await troubles(null)).filter(({ part }: { part: string }) => part === "replica");
    await expect.poll(replicaTroubles).toEqual([expect.objectContaining({ detail: expect.stringMatching(/^is \d+(\.\d)? s behind$/) })]);
    expect((await troubles("a partner")).filter(({ part }: { part: string }) => part === "replica")).toEqual([]);

    await standby.resume();
    await near();
    expect(await figures()).toMatch(/^settlement_database_replica_read 1$/m);
  });

  it("that has become a database of its own, or is gone, is not read from, and requests are still answered", async () => {
    await near();
    const operator = await callerOf("approver", null);
    const settlement = await waiting(await addPartner(primary.db));
    await standby.promote();
    await expect
      .poll(() => replica.state())
      .toMatchObject({ isRead: false, lagSeconds: null, detail: expect.stringContaining("not a standby") });
    expect(stateIn(await operator.settlements.list(all), settlement.id)).toBe("pending");
    // One that we still believe in, and that breaks off.
    const broken: Replica = {
      ...replica,
      db: openDatabase({ url: "postgres://x@127.0.0.1:9/x", applicationName: "x", maxConnections: 1, role: "x" }).db,
    };
    const distrust = vi.fn();
    const reads = { ...broken, state: () => ({ lagSeconds: 0, isRead: true, detail: "" }), distrust };
    const caller = await callerOf("approver", null, reads);
    expect(stateIn(await caller.settlements.list(all), settlement.id)).toBe("pending");
    expect(distrust).toHaveBeenCalledOnce();
  });
});
