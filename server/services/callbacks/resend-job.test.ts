import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditEntries } from "#db/schema/audit-log.ts";
import { callbackAttempts } from "#db/schema/callback-attempts.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import { partners } from "#db/schema/partners.ts";
import { resendFailureCells } from "#server/console/exports/resend-failures.ts";
import type { Context } from "#server/context.ts";
import { addSigningPartner, enqueueTestCallback, type SigningPartner } from "#testing/callbacks.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { testContext } from "#testing/surface.ts";
import { listCallbackGroups, listEndpoints } from "./read-callbacks.ts";
import { readResendJob } from "./read-resend-job.ts";
import { abortResendJob, exportResendFailures, startResendJob } from "./resend-jobs.ts";

const DOWN = "https://down.example/cb";
const GUARDED = "https://guarded.example/cb";

describe("undelivered callbacks", () => {
  let database: TestDatabase;
  let ctx: Context;
  let one: SigningPartner;
  let other: SigningPartner;

  beforeAll(async () => {
    database = await createTestDatabase();
    ctx = testContext(database.db);
    [one, other] = await Promise.all([addSigningPartner(database.db), addSigningPartner(database.db)]);
    await database.db.update(partners).set({ name: "Other partner" }).where(eq(partners.id, other.partnerId));
    for (const [partner, url, kind, status, many] of [
      [one, DOWN, "timeout", null, 3],
      [one, GUARDED, "status", 401, 2],
      [other, DOWN, "timeout", null, 4],
    ] as const) {
      for (let count = 0; count < many; count += 1) await giveUp(database, partner, url, kind, status);
    }
  });
  afterAll(() => database.close());

  const shape = (groups: Awaited<ReturnType<typeof listCallbackGroups>>) =>
    groups.map(({ cause, origin, count, partners }) => [cause, origin, count, partners]);

  it("are grouped by cause and receiver, a partner's own alone or everybody's, with what to do", async () => {
    expect(shape(await listCallbackGroups(ctx, { partnerId: null, state: "undelivered" }))).toEqual([
      ["timeout", "https://down.example", 7, ["Other partner", "Test partner"]],
      ["http_401", "https://guarded.example", 2, ["Test partner"]],
    ]);
    const own = await listCallbackGroups(ctx, { partnerId: one.partnerId, state: "undelivered" });
    expect(shape(own)).toEqual([
      ["timeout", "https://down.example", 3, ["Test partner"]],
      ["http_401", "https://guarded.example", 2, ["Test partner"]],
    ]);
    expect(own[1]).toMatchObject({
      title: "Answered 401",
      tip: expect.stringContaining("Does a gateway demand credentials?"),
      sample: { url: GUARDED },
    });
  });

  it("name three of the partners of a receiver, and count all", async () => {
    for (const name of ["Delta", "Alpha", "Charlie", "Bravo"]) {
      const partner = await addSigningPartner(database.db);
      await database.db.update(partners).set({ name }).where(eq(partners.id, partner.partnerId));
      await giveUp(database, partner, "https://many.example/cb", "timeout", null);
    }
    const groups = await listCallbackGroups(ctx, { partnerId: null, state: "undelivered" });
    const many = groups.find(({ origin }) => origin === "https://many.example");
    expect(many).toMatchObject({ count: 4, partners: ["Alpha", "Bravo", "Charlie"], partnerCount: 4 });
  });

  it("show in the health of their receivers", async () => {
    const [down] = await listEndpoints(ctx, { partnerId: other.partnerId });
    expect(down).toMatchObject({
      origin: "https://down.example",
      taken24h: { taken: 0, of: 4 },
      consecutiveFailures: 24,
      timeouts7d: 24,
      undelivered: 4,
    });
  });

  it("are resent as a job whose progress their own rows show, and of one partner only", async () => {
    const { id, count } = await startResendJob(ctx, {
      partnerId: one.partnerId,
      by: one.by,
      selection: { cause: "timeout", origin: "https://down.example" },
    });
    expect(count).toBe(3);
    expect(await readResendJob(ctx, { partnerId: one.partnerId, id })).toMatchObject({ total: 3, counts: { queued: 3 }, isOver: false });
    await database.db.execute(sql`update callbacks set state = 'delivered', due_at = null, delivered_at = now()
      where id = (select callback_id from resend_job_items where job_id = ${id} order by callback_id limit 1)`);
    const { counts, items, next } = await readResendJob(ctx, { partnerId: one.partnerId, id, limit: 2 });
    expect(counts).toMatchObject({ queued: 2, delivered: 1 });
    expect(items.map(({ state }) => state)).toEqual(["delivered", "queued"]);
    expect((await readResendJob(ctx, { partnerId: null, id, after: next })).items).toHaveLength(1);
    expect(shape(await listCallbackGroups(ctx, { partnerId: other.partnerId, state: "undelivered" }))).toEqual([
      ["timeout", "https://down.example", 4, ["Other partner"]],
    ]);
    await expect(readResendJob(ctx, { partnerId: other.partnerId, id })).rejects.toMatchObject({ code: "not_found" });
    const audited = await database.db.select().from(auditEntries);
    expect(audited.filter(({ objectId }) => objectId === id)).toMatchObject([
      { action: "callbacks.resent", change: { count: 3, cause: "timeout" } },
    ]);
  });

  it("are all ended on the page of a job that is said to be over, though the last one ends while the job is read", async () => {
    const owner = await addSigningPartner(database.db);
    await giveUp(database, owner, DOWN, "timeout", null);
    const { partnerId, by } = owner;
    const { id } = await startResendJob(ctx, { partnerId, by, selection: { origin: "https://down.example" } });
    const endsMeanwhile: TestDatabase["db"]["execute"] = (async (statement: never) => {
      const rows = await database.db.execute(statement);
      await database.db.execute(sql`update callbacks set state = 'delivered', due_at = null, delivered_at = now()
        where id in (select callback_id from resend_job_items where job_id = ${id})`);
      return rows;
    }) as never;
    const db = new Proxy(database.db, { get: (real, name) => (name === "execute" ? endsMeanwhile : Reflect.get(real, name)) });
    const { isOver, items } = await readResendJob({ db }, { partnerId, id });
    expect({ isOver, items }).toMatchObject({ isOver: false, items: [{ state: "delivered" }] });
  });

  it("are resent once, however many ask at once", async () => {
    const selection = { origin: "https://down.example" };
    const asked = Array.from({ length: 4 }, () => startResendJob(ctx, { partnerId: other.partnerId, by: other.by, selection }));
    const done = await Promise.allSettled(asked);
    const counted = done.map((result) => (result.status === "fulfilled" ? result.value.count : 0));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(4);
    for (const result of done) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "callback_not_found" });
  });

  it("are as they were before when the job is aborted before they were tried, and those that were tried go on", async () => {
    const aborter = await addSigningPartner(database.db);
    for (let count = 0; count < 3; count += 1) await giveUp(database, aborter, DOWN, "timeout", null);
    const owned = () => listCallbackGroups(ctx, { partnerId: aborter.partnerId, state: "undelivered" });
    const before = await owned();
    const { partnerId } = aborter;
    const by = { actor: { type: "user", userId: randomUUID(), role: "owner", partnerId }, requestId: null } as const;
    const { id } = await startResendJob(ctx, { partnerId, by, selection: { origin: "https://down.example" } });
    await database.db.execute(sql`update callbacks set next_number = 2
      where id = (select max(callback_id) from resend_job_items where job_id = ${id})`);
    await expect(abortResendJob(ctx, { partnerId: other.partnerId, by: other.by, id })).rejects.toMatchObject({ code: "not_found" });
    expect(await abortResendJob(ctx, { partnerId, by, id })).toEqual({ skipped: 2 });
    expect(await abortResendJob(ctx, { partnerId, by, id })).toEqual({ skipped: 0 });
    const { counts, job } = await readResendJob(ctx, { partnerId, id });
    expect(counts).toMatchObject({ skipped: 2, retrying: 1, queued: 0 });
    expect(job).toMatchObject({ abortedAt: expect.any(Date), abortedById: by.actor.userId });
    const [after] = await owned();
    expect(after).toMatchObject({ cause: "timeout", count: 2, oldestAt: before[0]?.oldestAt });
    const rows = await database.db.execute(
      sql`select series, next_number, due_at from callbacks where state = 'undelivered' and partner_id = ${partnerId}`,
    );
    expect(rows).toMatchObject([{ series: 1, next_number: 6, due_at: null }, { series: 1 }]);
    expect((await startResendJob(ctx, { partnerId, by, selection: { origin: "https://down.example" } })).count).toBe(2);
  });

  it("are listed where the job could not deliver them, whatever failed before, and to nobody of another partner", async () => {
    const owner = await addSigningPartner(database.db);
    const { partnerId, by } = owner;
    for (let count = 0; count < 4; count += 1) await giveUp(database, owner, "https://list.example:8443/cb?token=1", "timeout", null);
    const { id } = await startResendJob(ctx, { partnerId, by, selection: { cause: "timeout" } });
    const read = async () => {
      const found = [];
      for await (const batch of await exportResendFailures(ctx, { partnerId, by, id })) found.push(...batch);
      return found;
    };
    expect(await read()).toEqual([]);
    const { items } = await readResendJob(ctx, { partnerId, id });
    const [refused, answered, taken] = items.map(({ callbackId }) => callbackId);
    await tryAgain(database, refused ?? "", "refused", null);
    await tryAgain(database, answered ?? "", "status", 503);
    await tryAgain(database, taken ?? "", null, 200);
    await database.db.execute(sql`update callbacks set next_number = 2 where id in (${refused}, ${answered})`);
    const found = await read();
    expect(found.map(({ callbackId, state, errorKind, responseStatus }) => [callbackId, state, errorKind, responseStatus])).toEqual([
      [refused, "retrying", "refused", null],
      [answered, "retrying", "status", 503],
    ]);
    expect(found.map(resendFailureCells)[1]).toEqual([answered, found[1]?.subjectId, "list.example:8443", "retrying", "status", "503"]);
    await expect(exportResendFailures(ctx, { partnerId: other.partnerId, by: other.by, id })).rejects.toMatchObject({ code: "not_found" });
    const exported = (await database.db.select().from(auditEntries)).filter(({ action }) => action === "callbacks.exported");
    expect(exported).toMatchObject([{ objectId: id, partnerId }, { objectId: id }]);
  });

  it("stay as they are for who may not resend, for foreign ids, and for receivers that must not be called", async () => {
    const [row] = await database.sql<
      { id: string }[]
    >`select id from callbacks where partner_id = ${one.partnerId} and state = 'undelivered' limit 1`;
    const selection = { callbackIds: [row?.id ?? ""] };
    const viewer = { actor: { type: "user", userId: "x", role: "viewer", partnerId: null }, requestId: null } as const;
    const staff = { actor: { type: "user", userId: "x", role: "staff", partnerId: one.partnerId }, requestId: null } as const;
    const forbidding = {
      ...ctx,
      callbacks: { ...ctx.callbacks, judge: async () => ({ verdict: "forbidden", reason: "private" }) as const },
    };
    for (const [asked, code] of [
      [() => startResendJob(ctx, { partnerId: null, by: viewer, selection }), "forbidden"],
      [() => startResendJob(ctx, { partnerId: one.partnerId, by: staff, selection }), "forbidden"],
      [() => startResendJob(ctx, { partnerId: other.partnerId, by: other.by, selection }), "callback_not_found"],
      [() => startResendJob(forbidding, { partnerId: one.partnerId, by: one.by, selection }), "callback_url_not_allowed"],
    ] as const) {
      await expect(asked()).rejects.toMatchObject({ code });
    }
    expect(shape(await listCallbackGroups(ctx, { partnerId: one.partnerId, state: "undelivered" }))).toEqual([
      ["http_401", "https://guarded.example", 2, ["Test partner"]],
    ]);
  });
});

/** A callback after its six failed attempts. */
async function giveUp({ db }: TestDatabase, partner: SigningPartner, url: string, kind: string, status: number | null): Promise<void> {
  const { id } = await enqueueTestCallback(db, partner, url);
  await db.execute(
    sql`update callbacks set state = 'undelivered', due_at = null, next_number = 6, undelivered_at = now() where id = ${id}`,
  );
  const endedAt = new Date();
  const sentAt = new Date(endedAt.getTime() - 60_000);
  const outcome = { scheduledAt: sentAt, sentAt, endedAt, durationMs: 30, responseStatus: status, errorKind: kind, error: "It failed." };
  const numbers = Array.from({ length: 6 }, (_, index) => index + 1);
  await db
    .insert(callbackAttempts)
    .values(
      numbers.map((number) => ({ id: `${id}${number}`, callbackId: id, partnerId: partner.partnerId, series: 1, number, ...outcome })),
    );
}

/** The first attempt of a second series, over. */
async function tryAgain({ db }: TestDatabase, id: string, kind: string | null, status: number | null): Promise<void> {
  const [callback] = await db.select({ partnerId: callbacks.partnerId }).from(callbacks).where(eq(callbacks.id, id));
  const at = new Date();
  const error = kind === null ? null : "It failed.";
  const outcome = { scheduledAt: at, sentAt: at, endedAt: at, durationMs: 30, responseStatus: status, errorKind: kind, error };
  await db
    .insert(callbackAttempts)
    .values({ id: `${id}-2`, callbackId: id, partnerId: callback?.partnerId ?? "", series: 2, number: 1, ...outcome });
}
