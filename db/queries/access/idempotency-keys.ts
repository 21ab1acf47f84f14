import { and, eq, gt, lte, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { idempotencyKeys } from "#db/schema/idempotency-keys.ts";

/** The scope of a key (contract, part 9): the same text is another key for another caller, method or path. */
export type KeyScope = { ownerId: string; method: string; path: string; key: string };
export type StoredAnswer = {
  bodySha256: string;
  responseStatus: number;
  responseHeaders: string;
  responseBody: string;
  sealedBody: string | null;
  answeredTo: string | null;
};

/** The answer given under the key after the instant `after`, or null. */
export async function findStoredAnswer(db: Database, scope: KeyScope, after: Date): Promise<StoredAnswer | null> {
  const [row] = await db
    .select({
      bodySha256: idempotencyKeys.bodySha256,
      responseStatus: idempotencyKeys.responseStatus,
      responseHeaders: idempotencyKeys.responseHeaders,
      responseBody: idempotencyKeys.responseBody,
      sealedBody: idempotencyKeys.sealedBody,
      answeredTo: idempotencyKeys.answeredTo,
    })
    .from(idempotencyKeys)
    .where(and(ofScope(scope), gt(idempotencyKeys.createdAt, after)));
  return row ?? null;
}

/** Stores the answer, replacing an expired one. */
export async function storeAnswer(db: Database, scope: KeyScope, answer: StoredAnswer, now: Date): Promise<void> {
  const row = { ...answer, createdAt: now };
  await db
    .insert(idempotencyKeys)
    .values({ ...scope, ...row })
    .onConflictDoUpdate({
      target: [idempotencyKeys.ownerId, idempotencyKeys.method, idempotencyKeys.path, idempotencyKeys.key],
      set: row,
    });
}

/** Locks the key for this transaction. False: another transaction has it locked. */
export async function tryLockKey(tx: Database, scope: KeyScope): Promise<boolean> {
  const name = JSON.stringify([scope.ownerId, scope.method, scope.path, scope.key]);
  const rows = await tx.execute<{ gained: boolean }>(sql`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as gained`);
  return rows[0]?.gained === true;
}

/** Deletes answers given at or before `before`, at most `limit` per statement, so that none runs long. Returns how many. */
export async function deleteAnswersBefore(db: Database, before: Date, limit: number): Promise<number> {
  const { ownerId, method, path, key, createdAt } = idempotencyKeys;
  // By their key: a `ctid` names a row of one part of a table, and another row of the next (db/layout.ts).
  const old = db.select({ ownerId, method, path, key }).from(idempotencyKeys).where(lte(createdAt, before)).orderBy(createdAt).limit(limit);
  const result = await db.delete(idempotencyKeys).where(sql`(${ownerId}, ${method}, ${path}, ${key}) in (${old})`);
  return result.count;
}

function ofScope(scope: KeyScope) {
  return and(
    eq(idempotencyKeys.ownerId, scope.ownerId),
    eq(idempotencyKeys.method, scope.method),
    eq(idempotencyKeys.path, scope.path),
    eq(idempotencyKeys.key, scope.key),
  );
}
