import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { idempotencyKeys } from "#db/schema/idempotency-keys.ts";
import { nonces } from "#db/schema/nonces.ts";
import { accessTokens, loginThrottles, users } from "#db/schema/people.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { forgetSpentAccess } from "./forget-spent-access.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it("forgets what can no longer matter, a batch at a time, and nothing that still does", async () => {
  const { db, sql } = database;
  const now = new Date();
  const ctx = { db, clock: { now: () => now } };
  const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  await sql`insert into nonces select gen_random_uuid(), gen_random_uuid(), ${minutesAgo(30).toISOString()}::timestamptz from generate_series(1, 5001)`;
  await db
    .insert(nonces)
    .values([10, 14].map((minutes) => ({ apiKeyId: randomUUID(), nonce: randomUUID(), burntAt: minutesAgo(minutes) })));
  const answer = {
    ownerId: randomUUID(),
    method: "POST",
    path: "/",
    bodySha256: "",
    responseStatus: 200,
    responseHeaders: "{}",
    responseBody: "",
  };
  await db.insert(idempotencyKeys).values([
    { ...answer, key: "old", createdAt: minutesAgo(24 * 60 + 1) },
    { ...answer, key: "new", createdAt: minutesAgo(24 * 60 - 1) },
  ]);
  expect(await forgetSpentAccess(ctx)).toEqual({ nonces: 5_000, answers: 1, more: true });
  expect(await forgetSpentAccess(ctx)).toEqual({ nonces: 1, answers: 0, more: false });
  expect(await db.$count(nonces)).toBe(2);
  expect((await db.select().from(idempotencyKeys)).map((row) => row.key)).toEqual(["new"]);
});

it("forgets access tokens a day after they ran out, and log-in budgets once they are full again", async () => {
  const { db, sql } = database;
  const now = new Date();
  const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
  const userId = randomUUID();
  await db.insert(users).values({ id: userId, email: "a@example.com", name: "A", passwordHash: "", role: "admin", createdAt: now });
  const token = (tokenHash: string, expiresAt: Date) => ({ id: randomUUID(), tokenHash, userId, createdAt: now, expiresAt });
  await db.insert(accessTokens).values([token("old", at(-24 * 60 - 1)), token("new", at(-24 * 60 + 1))]);
  await db.insert(loginThrottles).values([
    { key: "full", fullAt: at(0) },
    { key: "used", fullAt: at(1) },
  ]);
  await forgetSpentAccess({ db, clock: { now: () => now } });
  expect(await sql`select token_hash from access_tokens`).toEqual([{ token_hash: "new" }]);
  expect(await sql`select key from login_throttles`).toEqual([{ key: "used" }]);
});
