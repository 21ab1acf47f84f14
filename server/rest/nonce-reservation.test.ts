import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { openDatabase } from "#db/client.ts";
import { findNonceUse } from "#db/queries/access/nonces.ts";
import { partners } from "#db/schema/partners.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Context } from "#server/context.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { issueKey, readAnswer, signedRequest, testContext, testSurfaceContext } from "#testing/surface.ts";
import type { Binding } from "./bind.ts";
import { ECHO } from "./echo.ts";
import { settlementSurface } from "./settlement-surface.ts";
import { handle } from "./surface.ts";
import { DATABASE_LIMIT_MS, type SurfaceContext } from "./surface-context.ts";

let database: TestDatabase;
let surfaceContext: SurfaceContext;
/** The same with less time, for requests that are to run out of it. */
let hurried: SurfaceContext;
let key: IssuedApiKey;
let lockedId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  surfaceContext = testSurfaceContext(testContext(database.db), {}, DATABASE_LIMIT_MS);
  hurried = { ...surfaceContext, databaseLimitMs: 600 };
  key = await issueKey(surfaceContext.ctx);
  // The caller's own: it would neither see nor lock another partner's row.
  lockedId = key.partnerId ?? "";
  await database.db.execute(sql`update partners set name = '' where id = ${lockedId}`);
});
afterEach(() => database.db.execute(sql`update partners set name = '' where id = ${lockedId}`));
afterAll(() => database.close());

const { unread: _, ...judged } = ECHO.operation;

/** Adds one letter to a name, on the row that the tests lock; the tests decide what follows. */
function writing(after: () => Promise<void> = async () => {}): Binding {
  return {
    ...ECHO,
    operation: { ...judged, kind: "write" },
    read: (...request) => {
      const prepare = ECHO.read(...request);
      return async (before) => {
        const run = await prepare(before);
        return async (ctx) => {
          await ctx.db.transaction((tx) =>
            tx
              .update(partners)
              .set({ name: sql`${partners.name} || 'x'` })
              .where(sql`id = ${lockedId}`),
          );
          await after();
          return await run(ctx);
        };
      };
    },
  };
}

/** Reads that row, and waits while it is locked. */
const reading: Binding = {
  ...ECHO,
  read: (...request) => {
    const prepare = ECHO.read(...request);
    const read = (ctx: Context) => ctx.db.execute(sql`select name from partners where id = ${lockedId} for update`);
    return async (before) => {
      const run = await prepare(before);
      return (ctx) => read(ctx).then(() => run(ctx));
    };
  },
};

const nonceOf = () => randomUUID();
async function send(binding: Binding, nonce: string, at: SurfaceContext = surfaceContext, headers: Record<string, string> = {}) {
  const {
    status,
    body,
    headers: answered,
  } = readAnswer(
    await handle(settlementSurface, at, [binding], signedRequest(key, { method: "POST", target: "/api/v1/echo", nonce, headers })),
  );
  return { status, code: body.code ?? null, again: answered["Retry-After"] };
}
const effects = async () => (await database.db.select().from(partners).where(sql`id = ${lockedId}`))[0]?.name.length;

/** Locks the row during the work, so that anyone who wants it runs out of time. */
async function whileHeld(work: () => Promise<void>): Promise<void> {
  await database.sql.begin(async (held) => {
    await held`select 1 from partners where id = ${lockedId} for update`;
    await work();
  });
}

describe.each<[string, () => Binding, Record<string, string>, number]>([
  ["that writes", () => writing(), {}, 1],
  ["that writes, with an Idempotency-Key", () => writing(), { "Idempotency-Key": randomUUID() }, 1],
  ["that reads", () => reading, {}, 0],
])("a request %s and gets 503 because time ran out", (_what, binding, headers, letters) => {
  it("may be sent again as it is, counts once, and never again", async () => {
    const nonce = nonceOf();
    await whileHeld(async () => {
      expect(await send(binding(), nonce, hurried, headers)).toMatchObject({ status: 503, again: expect.any(String) });
      // Also while the first is still stuck: a copy gets 503, not `nonce_reused`.
      expect(await send(binding(), nonce, hurried, headers)).toMatchObject({ status: 503 });
    });
    const again = await eventuallyIn(() => send(binding(), nonce, surfaceContext, headers));
    expect(again).toMatchObject({ status: 200 });
    expect(await effects()).toBe(letters);
    expect(await send(binding(), nonce, surfaceContext, headers)).toMatchObject({ status: 401, code: "nonce_reused" });
    expect(await effects()).toBe(letters);
  });
});

/** Sends until there is no 503. */
async function eventuallyIn<Answer extends { status: number }>(attempt: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    const answer = await attempt();
    if (answer.status !== 503 || tries > 80) return answer;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

describe("a request that is refused", () => {
  it.each<[string, Error, number]>([
    ["by a rule", new Refusal("conflict"), 409],
    ["as not valid", new Refusal("validation_failed"), 422],
  ])("%s has burnt its nonce and changed nothing", async (_how, refusal, status) => {
    const nonce = nonceOf();
    const refused = writing(async () => {
      throw refusal;
    });
    expect(await send(refused, nonce)).toMatchObject({ status });
    expect(await send(refused, nonce)).toMatchObject({ status: 401, code: "nonce_reused" });
    expect(await effects()).toBe(0);
  });

  it("before its work began (scope, media, JSON) has used up its nonce, and a copy learns only that", async () => {
    const nonce = nonceOf();
    const headers = { "Content-Type": "text/plain" };
    const post = (body: string) =>
      handle(
        settlementSurface,
        surfaceContext,
        [writing()],
        signedRequest(key, { method: "POST", target: "/api/v1/echo", nonce, body, headers }),
      );
    expect(readAnswer(await post("{}")).body.code).toBe("unsupported_media_type");
    expect(readAnswer(await post("{}")).body.code).toBe("nonce_reused");
  });

  it("by trouble of ours has not burnt its nonce", async () => {
    const nonce = nonceOf();
    const failing = writing(async () => {
      throw new Error("unforeseen");
    });
    expect(await send(failing, nonce)).toMatchObject({ status: 500 });
    expect(await effects()).toBe(0);
    expect(await send(writing(), nonce)).toMatchObject({ status: 200 });
  });
});

describe("copies of one request, at once and through two processes' pools", () => {
  it("have one winner, also while the first of them run out of time", async () => {
    const { url, webRole: role, layout } = database;
    const other = openDatabase({ url, applicationName: "other", maxConnections: 8, role, layout });
    const doors = [surfaceContext, testSurfaceContext({ ...surfaceContext.ctx, db: other.db }, {}, DATABASE_LIMIT_MS)];
    for (const held of [false, true]) {
      const nonce = nonceOf();
      const copies = () =>
        Promise.all(Array.from({ length: 60 }, (_, index) => send(writing(), nonce, doors[index % 2] ?? surfaceContext)));
      const first: Awaited<ReturnType<typeof send>>[] = [];
      if (held) await whileHeld(async () => void first.push(...(await copies())));
      const answers = [...first, ...(await copies()), await eventuallyIn(() => send(writing(), nonce))];
      const winners = answers.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      for (const { status, code } of answers) expect([200, 503, status === 401 && code === "nonce_reused" ? 401 : 0]).toContain(status);
      expect(first.filter(({ status }) => status === 401)).toEqual([]);
      expect(await effects()).toBe(held ? 2 : 1);
    }
    await other.close();
  });
});

describe("three hundred requests at once that need the same row", () => {
  it("wait as long as most of them could still end in time: who is refused waited, and is let in later", async () => {
    const crowd = Array.from({ length: 300 }, nonceOf);
    const slow = writing(() => new Promise((resolve) => setTimeout(resolve, 20)));
    const answers = await Promise.all(
      crowd.map(async (nonce) => {
        const began = performance.now();
        const { status } = await send(slow, nonce);
        return { nonce, status, waitedMs: performance.now() - began };
      }),
    );
    const shed = answers.filter(({ status }) => status === 503);
    expect(answers.filter(({ status }) => status === 200).length + shed.length).toBe(300);
    for (const { waitedMs } of shed) expect(waitedMs).toBeGreaterThan(500);
    for (const { nonce } of shed.slice(0, 5)) expect(await eventuallyIn(() => send(slow, nonce))).toMatchObject({ status: 200 });
    expect(await effects()).toBe(300 - shed.length + Math.min(5, shed.length));
  });
});

describe("work whose caller no longer waits", () => {
  const ends: unknown[] = [];
  let begun = Promise.withResolvers<void>();
  const sleeping: Binding = {
    ...ECHO,
    operation: { ...judged, kind: "write" },
    read: (...request) => {
      const prepare = ECHO.read(...request);
      return async (before) => {
        const run = await prepare(before);
        return async (ctx) => {
          const asleep = ctx.db.execute(sql`select pg_sleep(30)`).catch((error) => ends.push(error));
          begun.resolve();
          await asleep;
          return await run(ctx);
        };
      };
    },
  };
  const cancelled = { cause: { code: "57014", message: "canceling statement due to user request" } };
  const isSpent = async (nonce: string) => {
    return (await findNonceUse(database.db, { apiKeyId: key.id, partnerId: key.partnerId ?? null }, nonce)) !== null;
  };

  it("because it got 503 is cancelled in PostgreSQL, and its connection is free for others", async () => {
    const answer = await handle(settlementSurface, hurried, [sleeping], signedRequest(key, { method: "POST", target: "/api/v1/echo" }));
    expect(answer.status).toBe(503);
    await vi.waitFor(() => expect(hurried.busy.count).toBe(0), { timeout: 60_000 });
    expect(ends.splice(0)).toMatchObject([cancelled]);
  });

  it("because it left is cancelled long before its time is up, has no effect, and its nonce is free", async () => {
    begun = Promise.withResolvers<void>();
    const patient = { ...surfaceContext, databaseLimitMs: 20_000 };
    const [connection, nonce] = [new AbortController(), nonceOf()];
    const request = signedRequest(key, { method: "POST", target: "/api/v1/echo", nonce, connection: connection.signal });
    const answering = handle(settlementSurface, patient, [sleeping], request);
    await begun.promise;
    // Otherwise the statement before it, which spends the nonce, may be the cancelled one.
    const owner = postgres(database.url, { max: 1 });
    const asleep = () => owner`select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    await vi.waitFor(async () => expect(await asleep()).toHaveLength(1), { timeout: 10_000 });
    await owner.end();
    connection.abort();
    await answering;
    await vi.waitFor(() => expect(patient.busy.count).toBe(0), { timeout: 10_000 });
    expect(ends).toMatchObject([cancelled]);
    expect(await isSpent(nonce)).toBe(false);
    expect(await send(writing(), nonce)).toMatchObject({ status: 200 });
    expect(await isSpent(nonce)).toBe(true);
  });

  it("because it left while it waited for a connection never begins", async () => {
    const { write } = surfaceContext.concurrency;
    const ends: (() => void)[] = [];
    const place = () => new Promise<void>((resolve) => ends.push(resolve));
    const all = Array.from({ length: 18 }, () => write.run({ key: "others", check: () => {} }, place));
    const [connection, nonce] = [new AbortController(), nonceOf()];
    const request = signedRequest(key, { method: "POST", target: "/api/v1/echo", nonce, connection: connection.signal });
    const answering = handle(settlementSurface, surfaceContext, [writing()], request);
    await vi.waitFor(() => expect(write.waiting).toBe(1));
    connection.abort();
    await answering;
    for (const end of ends) end();
    await Promise.all(all);
    await vi.waitFor(() => expect([write.waiting, surfaceContext.busy.count]).toEqual([0, 0]));
    expect([await isSpent(nonce), await effects()]).toEqual([false, 0]);
  });
});
