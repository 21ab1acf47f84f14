import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { renderStatus, statusFeed } from "#contract/service-status.ts";
import type { Database } from "#db/client.ts";
import { exchangeRates } from "#db/schema/rates.ts";
import { statusDays, statusIncidents } from "#db/schema/service-status.ts";
import { decimal } from "#domain/decimal.ts";
import { setChainHead } from "#server/observe/record.ts";
import { takeSnapshot } from "#server/observe/snapshot.ts";
import { recordHeartbeat } from "#server/services/maintenance/read-vitals.ts";
import { noteIncident } from "#server/services/maintenance/service-status.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, testChains } from "#testing/factories.ts";
import { noScreening } from "#testing/screening.ts";
import { answerStatus, answerStatusFeed } from "./status-answers.ts";
import { StatusWatch } from "./status-watch.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addTerms(database.db);
  const rate = { sourceCurrency: "KES", destinationCurrency: "USDT", midRate: decimal("1"), source: "fixed" as const, asOf: new Date() };
  await database.db.insert(exchangeRates).values(rate);
});
afterAll(() => database.close());
beforeEach(async () => {
  setChainHead({ chain: "eip155:31337", node: "local", height: 12, lagSeconds: 1 });
  await workerIs("alive");
  await database.db.delete(statusDays);
  await database.db.delete(statusIncidents);
});

async function workerIs(state: "alive" | "frozen"): Promise<void> {
  await recordHeartbeat(database, { id: "worker", kind: "worker", startedAt: new Date(), metrics: await takeSnapshot() });
  if (state === "frozen") await database.db.execute(sql`update processes set beat_at = clock_timestamp() - interval '10 minutes'`);
}

/** A watch on its own clock, which ends now: the database counts nothing beyond its own. */
function openWatch(startSecondsAgo: number, db: () => Database = () => database.web) {
  let at = Date.now() - startSecondsAgo * 1_000;
  const warned: string[] = [];
  const log = { warn: (_facts: object, text: string) => void warned.push(text), info() {}, error() {}, debug() {} };
  const ctx = {
    get db() {
      return db();
    },
    chains: testChains,
    clock: { now: () => new Date(at) },
    screener: noScreening,
    log: log as never,
  };
  const watch = new StatusWatch(ctx);
  const look = async (times: number, everySeconds = 5) => {
    for (let left = times; left > 0; left -= 1) {
      await watch.look();
      at += everySeconds * 1_000;
    }
  };
  const wait = (seconds: number) => {
    at += seconds * 1_000;
  };
  return { watch, ctx, look, wait, warned };
}

/** What the days have of a surface, in seconds. */
async function counted(surface: string) {
  const rows = (await database.db.select().from(statusDays)).filter((row) => row.surface === surface);
  const sum = (name: "operationalMs" | "degradedMs" | "downMs") => Math.round(rows.reduce((all, row) => all + row[name], 0) / 1_000);
  return { operational: sum("operationalMs"), degraded: sum("degradedMs"), down: sum("downMs") };
}

const PAYMENTS = "payments:eip155:31337";

describe("the watch for the status page", () => {
  it("counts what it sees, and a frozen worker as an outage of what the worker does", async () => {
    const { watch, look } = openWatch(300);
    await look(7);
    await workerIs("frozen");
    await look(13);
    await workerIs("alive");
    await look(7);
    await watch.write();
    // Of the first look that finds it, and of the first that does not, the time before counts as it was.
    expect(await counted(PAYMENTS)).toEqual({ operational: 70, degraded: 0, down: 60 });
    expect(await counted("console")).toEqual({ operational: 130, degraded: 0, down: 0 });
    const { disruptions, history } = await watch.report();
    expect(disruptions).toEqual([]);
    expect(history.incidents).toMatchObject([{ cause: "processing", chain: null, endedAt: null }]);
  });

  it("ends an incident a minute after it was last seen, at that moment, and takes up one that comes back before", async () => {
    const { watch, look } = openWatch(600);
    const worker = async (state: "alive" | "frozen", looks: number) => {
      await workerIs(state);
      await look(looks);
      await watch.write();
    };
    await worker("frozen", 9);
    await worker("alive", 5);
    await worker("frozen", 9);
    await worker("alive", 20);
    const [incident, ...others] = await database.db.select().from(statusIncidents);
    expect(others).toEqual([]);
    // 9 looks, 5 without it, 9 more: 8 spans, 6 without, 8 spans.
    const lasted = Number(incident?.endedAt) - Number(incident?.beganAt);
    expect(lasted / 1_000).toBe((8 + 6 + 8) * 5);
    expect(incident?.endedAt).toEqual(incident?.seenUntil);
  });

  it("counts the same time once, however many processes write it", async () => {
    const [first, second] = [openWatch(120), openWatch(120)];
    await Promise.all([first.look(11), second.look(11)]);
    await Promise.all([first.watch.write(), second.watch.write()]);
    expect(await counted("console")).toEqual({ operational: 50, degraded: 0, down: 0 });
    await Promise.all([first.look(1), second.look(3)]);
    await Promise.all([second.watch.write(), first.watch.write()]);
    expect(await counted("console")).toEqual({ operational: 65, degraded: 0, down: 0 });
  });

  it("counts no time in which nobody looked, and none after the database's own clock", async () => {
    const { watch, look, wait } = openWatch(120);
    await look(3);
    wait(60);
    await look(3);
    await watch.write();
    expect(await counted("console")).toEqual({ operational: 20, degraded: 0, down: 0 });
    await look(400);
    await watch.write();
    const { operational } = await counted("console");
    expect(operational).toBeGreaterThanOrEqual(20);
    expect(operational).toBeLessThan(120);
  });

  it("goes on while the database is away, says so, and writes afterwards what it has seen", async () => {
    let isAway = false;
    const gone = new Proxy({} as Database, {
      get: () => () => {
        throw new Error("the database is away");
      },
    });
    const { watch, look } = openWatch(300, () => (isAway ? gone : database.web));
    await look(3);
    await watch.write();
    expect((await watch.report()).historyAt).not.toBeNull();
    isAway = true;
    await look(14);
    await watch.write();
    const away = renderStatus(await watch.report());
    expect(away.state).toBe("down");
    expect(away.surfaces.map(({ state }) => state)).toEqual(away.surfaces.map(() => "down"));
    // The past is there as it was last read.
    expect(away.history_read_at).not.toBeNull();
    expect(away.surfaces[0]?.days.at(-1)?.down_seconds).toBe(0);
    isAway = false;
    await look(3);
    await watch.write();
    expect(await counted("console")).toEqual({ operational: 30, degraded: 0, down: 65 });
    const after = renderStatus(await watch.report());
    expect(after.incidents).toMatchObject([{ summary: "Requests cannot be answered. Payments, callbacks and events wait." }]);
  });

  it("writes again what may not have been written, and counts it once", async () => {
    let losesAnswers = true;
    const lossy = new Proxy(database.web, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (name !== "transaction" || !losesAnswers) return value.bind(target);
        return async (...given: unknown[]) => {
          await Reflect.apply(value, target, given);
          throw new Error("the answer to the commit was lost");
        };
      },
    });
    const { watch, look, warned } = openWatch(120, () => lossy);
    await look(5);
    await watch.write();
    expect(warned).toEqual(["the status history was not written, and is written again"]);
    expect(await counted("console")).toEqual({ operational: 20, degraded: 0, down: 0 });
    losesAnswers = false;
    await look(1);
    await watch.write();
    expect(await counted("console")).toEqual({ operational: 25, degraded: 0, down: 0 });
  });

  it("shows no state that is older than half a minute", async () => {
    const { watch, look, wait } = openWatch(300);
    expect(renderStatus(await watch.report()).state).toBe("unknown");
    await look(2);
    expect(renderStatus(await watch.report()).state).toBe("operational");
    wait(31);
    expect(renderStatus(await watch.report())).toMatchObject({ state: "unknown", summary: "The current state is unknown." });
  });
});

describe("what the page shows", () => {
  it("has the people's notes, and names nothing of what is inside", async () => {
    const { watch, ctx, look, wait } = openWatch(300);
    await workerIs("frozen");
    await look(10);
    await watch.write();
    const [{ id } = { id: "" }] = (await watch.report()).history.incidents;
    await noteIncident(ctx, id, "  We restart <the workers>.  ");
    await expect(noteIncident(ctx, id, " ")).rejects.toMatchObject({ code: "invalid_state" });
    await expect(noteIncident(ctx, "si_00000000000000000000000000", "x")).rejects.toMatchObject({ code: "not_found" });
    wait(20);
    await watch.look();
    const answer = await answerStatus(watch);
    const body = await answer.text();
    expect(JSON.parse(body).incidents).toMatchObject([{ id, ended_at: null, notes: [{ text: "We restart <the workers>." }] }]);
    // An id has random letters, which may be any of these words.
    const withoutIds = body.replaceAll(/si_[0-9a-z]{26}/g, "");
    for (const secret of ["KES", "0x", "heartbeat", "runbook", "worker-down", "treasury"]) expect(withoutIds).not.toContain(secret);
    const feed = await (await answerStatusFeed(watch, "https://pay.example")).text();
    expect(feed).toContain(`<id>https://pay.example/status#${id}</id>`);
    expect(feed).toContain("We restart &lt;the workers&gt;.");
    const [audit] = await database.db.execute<{ action: string }>(sql`select action from audit_entries where object_id = ${id}`);
    expect(audit?.action).toBe("status.noted");
  });

  it("has 90 days of every surface, and an empty feed before anything has happened", async () => {
    const { watch } = openWatch(10);
    const report = await watch.report();
    const { surfaces } = renderStatus(report);
    expect(surfaces.map(({ id, days }) => [id, days.length])).toEqual(
      ["settlement_api", "partner_management", PAYMENTS, "fiat", "callbacks", "console"].map((id) => [id, 90]),
    );
    expect(surfaces[0]?.days[0]).toMatchObject({ operational_seconds: 0, unknown_seconds: 86_400 });
    expect(statusFeed(report, "https://pay.example")).not.toContain("<entry>");
  });
});
