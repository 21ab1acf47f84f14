import { randomUUID } from "node:crypto";
import { count, eq, sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineOperation, nothing } from "#contract/operation.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { auditEntries } from "#db/schema/audit-log.ts";
import { idempotencyKeys } from "#db/schema/idempotency-keys.ts";
import { nonces } from "#db/schema/nonces.ts";
import { Refusal, type RefusalCode } from "#domain/refusal.ts";
import type { Context } from "#server/context.ts";
import { forgetSpentAccess } from "#server/services/access/forget-spent-access.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { issueKey, readAnswer, signedRequest, testContext, testSurfaceContext } from "#testing/surface.ts";
import { bindAfter } from "./bind.ts";
import { settlementSurface } from "./settlement-surface.ts";
import { handle } from "./surface.ts";

/** Leaves a trace in the database, and then does as the body says. */
let onRun: (ctx: Context) => Promise<void> = async () => {};
const thing = {
  kind: "write",
  caller: "signed",
  query: nothing,
  result: z.object({ mark: z.string(), tiny: z.number() }),
  status: 201,
  refusals: [],
} as const;
const bodySchema = z.strictObject({ mark: z.string(), refuse: z.string().optional(), refuse_before: z.string().optional() });
const operations = ["/api/v1/things", "/api/v1/others", "/api/v1/things/{id}"].map((path) =>
  bindAfter(
    defineOperation({
      ...thing,
      id: path,
      summary: "Writes",
      method: "POST",
      path,
      scope: null,
      params: z.object({}),
      body: bodySchema,
      bodyRequired: true,
    }),
    async (_ctx, { body }) => {
      if (body.refuse_before) throw new Refusal(body.refuse_before as RefusalCode);
    },
    async (ctx, { body, by, partnerId }) => {
      await insertAuditEntry(ctx.db, { by, partnerId, action: "thing", objectId: body.mark, change: {}, now: new Date() });
      await onRun(ctx);
      if (body.refuse) throw new Refusal(body.refuse as RefusalCode, { members: { expired_at: "then" } });
      return { body: { mark: body.mark, tiny: 1e-8 }, headers: { Location: `/things/${body.mark}` } };
    },
  ),
);

let database: TestDatabase;
let ctx: Context;
let key: IssuedApiKey;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = testContext(database.db);
  key = await issueKey(ctx);
});
beforeEach(() => {
  onRun = async () => {};
});
afterAll(() => database.close());

type Sent = { mark?: string; body?: string; idempotencyKey?: string; target?: string; by?: IssuedApiKey; ctx?: Context };
async function send(sent: Sent = {}) {
  const { mark = "mark", idempotencyKey, target = "/api/v1/things", by = key } = sent;
  const body = sent.body ?? JSON.stringify({ mark });
  const headers = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
  const raw = signedRequest(by, { method: "POST", target, body, headers });
  return readAnswer(await handle(settlementSurface, testSurfaceContext(sent.ctx ?? ctx), operations, raw));
}
const effects = async (mark: string) =>
  (await database.db.select({ n: count() }).from(auditEntries).where(eq(auditEntries.objectId, mark)))[0]?.n;

describe("an Idempotency-Key", () => {
  it("of twenty requests at once lets one take effect; the rest get its answer or 409", async () => {
    onRun = () => new Promise((resolve) => setTimeout(resolve, 30));
    const mark = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send({ mark, idempotencyKey: mark })));
    onRun = async () => {};
    expect(await effects(mark)).toBe(1);
    expect(answers.filter((answer) => answer.status === 201 && answer.headers["Idempotent-Replayed"] === undefined)).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 201) expect(answer.body.mark).toBe(mark);
      else expect([answer.status, answer.body.code]).toEqual([409, "idempotency_in_progress"]);
    }
    expect((await send({ mark, idempotencyKey: mark })).headers["Idempotent-Replayed"]).toBe("true");
  });

  it("replays the stored bytes and headers under a fresh request id", async () => {
    const idempotencyKey = randomUUID();
    const raw = () =>
      signedRequest(key, {
        method: "POST",
        target: "/api/v1/things",
        body: '{"mark":"r"}',
        headers: { "Idempotency-Key": idempotencyKey },
      });
    const first = await handle(settlementSurface, testSurfaceContext(ctx), operations, raw());
    const second = await handle(settlementSurface, testSurfaceContext(ctx), operations, raw());
    expect(second.body).toBe(first.body);
    expect(first.body).toContain('"tiny":0.00000001');
    const { "X-Request-Id": firstId, ...firstHeaders } = first.headers;
    const { "X-Request-Id": secondId, ...secondHeaders } = second.headers;
    expect(secondHeaders).toEqual({ ...firstHeaders, "Idempotent-Replayed": "true" });
    expect(firstHeaders.Location).toBe("/things/r");
    expect(secondId).not.toBe(firstId);
  });

  it("with another body is 422, also when only a space differs", async () => {
    const idempotencyKey = randomUUID();
    await send({ body: '{"mark":"a"}', idempotencyKey });
    for (const body of ['{"mark":"b"}', '{"mark": "a"}']) {
      const answer = await send({ body, idempotencyKey });
      expect([answer.status, answer.body.code]).toEqual([422, "idempotency_key_reused"]);
    }
  });

  it("belongs to its partner, method and path", async () => {
    const idempotencyKey = randomUUID();
    const other = await issueKey(ctx);
    const samePartner = await issueKey(ctx, { partnerId: key.partnerId });
    const replayed = async (sent: Sent) => (await send({ idempotencyKey, ...sent })).headers["Idempotent-Replayed"] ?? "no";
    expect(await replayed({})).toBe("no");
    expect(await replayed({ by: other })).toBe("no");
    expect(await replayed({ target: "/api/v1/others" })).toBe("no");
    expect(await replayed({ target: "/api/v1/things/1" })).toBe("no");
    expect(await replayed({ target: "/api/v1/things/2" })).toBe("no");
    expect(await replayed({ by: samePartner })).toBe("true");
  });

  it.each(["settlement_not_found", "approval_pending", "quote_expired", "unsupported_pair"])(
    "keeps the refusal %s and nothing of what the operation wrote",
    async (code) => {
      const mark = randomUUID();
      const body = JSON.stringify({ mark, refuse: code });
      const first = await send({ body, idempotencyKey: mark });
      const second = await send({ body, idempotencyKey: mark });
      expect(first.body.code).toBe(code);
      expect(second.body).toEqual(first.body);
      expect(second.headers["Idempotent-Replayed"]).toBe("true");
      expect(await effects(mark)).toBe(0);
    },
  );

  it("keeps what the checks before the operation refused", async () => {
    const idempotencyKey = randomUUID();
    const body = JSON.stringify({ mark: "x", refuse_before: "callback_url_not_allowed" });
    await send({ body, idempotencyKey });
    const second = await send({ body, idempotencyKey });
    expect([second.status, second.headers["Idempotent-Replayed"]]).toEqual([422, "true"]);
  });

  it.each(["rate_unavailable", "temporarily_unavailable", "internal_error", "rate_limited", "validation_failed"])(
    "does not keep %s",
    async (code) => {
      const mark = randomUUID();
      const body = JSON.stringify({ mark, refuse: code });
      await send({ body, idempotencyKey: mark });
      const second = await send({ body, idempotencyKey: mark });
      expect([second.body.code, second.headers["Idempotent-Replayed"]]).toEqual([code, undefined]);
      expect(await effects(mark)).toBe(0);
    },
  );

  it("does not keep a body that was not valid, so that it may be mended under the same key", async () => {
    const idempotencyKey = randomUUID();
    for (const body of ["{", '{"mark":1}']) await send({ body, idempotencyKey });
    expect((await send({ idempotencyKey })).status).toBe(201);
  });

  it("leaves neither effect nor answer when the process or the database dies before the commit", async () => {
    const mark = randomUUID();
    const admin = postgres(database.url, { max: 1 });
    onRun = async (inside) => {
      const [own] = await inside.db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await admin`select pg_terminate_backend(${own?.pid ?? 0})`;
    };
    expect((await send({ mark, idempotencyKey: mark })).status).toBe(503);
    onRun = async () => {};
    await admin.end();
    expect(await effects(mark)).toBe(0);
    const again = await send({ mark, idempotencyKey: mark });
    expect([again.status, again.headers["Idempotent-Replayed"]]).toEqual([201, undefined]);
    expect(await effects(mark)).toBe(1);
  });

  it("is forgotten after 24 hours, even before maintenance has come by", async () => {
    const mark = randomUUID();
    await send({ mark, idempotencyKey: mark });
    const age = (hours: number) =>
      database.db
        .update(idempotencyKeys)
        .set({ createdAt: new Date(Date.now() - hours * 3_600_000) })
        .where(eq(idempotencyKeys.key, mark));
    await age(23.9);
    expect((await send({ mark, idempotencyKey: mark })).headers["Idempotent-Replayed"]).toBe("true");
    await age(24);
    expect((await send({ mark, idempotencyKey: mark })).headers["Idempotent-Replayed"]).toBeUndefined();
    expect((await send({ mark, idempotencyKey: mark })).headers["Idempotent-Replayed"]).toBe("true");
    expect(await effects(mark)).toBe(2);
  });

  it.each(["", " ", "a b", "ä", "x".repeat(256)])("of the form %j is a malformed header", async (idempotencyKey) => {
    expect((await send({ idempotencyKey })).body.code).toBe("malformed_header");
  });

  it("is not needed: without one each request takes effect", async () => {
    const mark = randomUUID();
    await send({ mark });
    await send({ mark });
    expect(await effects(mark)).toBe(2);
  });
});

describe("maintenance", () => {
  it("forgets kept answers after a day and nonces after more than ten minutes, and nothing younger", async () => {
    const old = {
      ownerId: randomUUID(),
      method: "POST",
      path: "/",
      bodySha256: "",
      responseStatus: 200,
      responseHeaders: "{}",
      responseBody: "",
    };
    const dayAgo = new Date(Date.now() - 24 * 3_600_000 - 1_000);
    await database.db.insert(idempotencyKeys).values([
      { ...old, key: "old", createdAt: dayAgo },
      { ...old, key: "young", createdAt: new Date(dayAgo.getTime() + 60_000) },
    ]);
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const burnt = [minutesAgo(21), minutesAgo(11)].map((burntAt) => ({ apiKeyId: key.id, nonce: randomUUID(), burntAt }));
    await database.db.insert(nonces).values(burnt);
    await forgetSpentAccess(ctx);
    const left = await database.db
      .select({ key: idempotencyKeys.key })
      .from(idempotencyKeys)
      .where(eq(idempotencyKeys.ownerId, old.ownerId));
    expect(left).toEqual([{ key: "young" }]);
    const kept = (await database.db.select({ nonce: nonces.nonce }).from(nonces)).map((row) => row.nonce);
    expect(burnt.map(({ nonce }) => kept.includes(nonce))).toEqual([false, true]);
  });
});
