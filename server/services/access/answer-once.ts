import type { Database } from "#db/client.ts";
import { findStoredAnswer, type KeyScope, type StoredAnswer, storeAnswer, tryLockKey } from "#db/queries/access/idempotency-keys.ts";
import { Refusal } from "#domain/refusal.ts";
import { keptAnswerOf } from "#domain/sealed-place.ts";
import type { Uses } from "#server/context.ts";

export const IDEMPOTENCY_LIFETIME_MS = 24 * 3_600_000;

/** An answer in the form in which it is stored and replayed. */
export type KeptAnswer = { status: number; headers: Record<string, string>; body: string };

export type OnceRequest = KeyScope & {
  bodySha256: string;
  /** Whether a successful answer contains a secret. It is then stored encrypted, and replayed only to this caller. */
  secret: boolean;
  /** The API key or person that calls. */
  callerId: string;
  /** Throws what a network call has refused. It runs before the work, and the refusal is the answer. */
  throwIfRefused(): Promise<void>;
  /** The operation, on the transaction it is given. It may run again if this process dies before the commit, never after. */
  work(tx: Database): Promise<KeptAnswer>;
  /** The answer to store for an error; null: the error is not stored and is thrown on. */
  keep(error: unknown): KeptAnswer | null;
};

/**
 * Runs the work once per Idempotency-Key (contract, parts 2 and 9). Effect and answer commit together, so a crash leaves both or neither. A
 * repeat within 24 hours of real time gets the stored answer. An answer with a secret is encrypted at rest like the secret itself, and
 * replayed only to the caller that first got it: another API key of the partner may have fewer rights.
 *
 * @throws Refusal `idempotency_in_progress` while another request holds the key, `idempotency_key_reused` for another body, and for another
 * caller where the answer shows a secret.
 */
export async function answerOnce(
  ctx: Uses<"db" | "clock" | "vault">,
  request: OnceRequest,
): Promise<{ answer: KeptAnswer; replayed: boolean }> {
  const earlier = await findEarlier(ctx, ctx.db, request);
  if (earlier !== null) return { answer: earlier, replayed: true };
  const refused = await refusedBy(() => request.throwIfRefused(), request);
  return await ctx.db.transaction(async (tx) => {
    if (!(await tryLockKey(tx, request))) throw new Refusal("idempotency_in_progress", { retryAfterSeconds: 1 });
    const meanwhile = await findEarlier(ctx, tx, request);
    if (meanwhile !== null) return { answer: meanwhile, replayed: true };
    const answer = refused ?? (await workInSavepoint(tx, request));
    await storeAnswer(tx, scopeOf(request), stored(ctx, request, answer), ctx.clock.now());
    return { answer, replayed: false };
  });
}

/** A refusal rolls back the operation's writes, but not the transaction that stores the refusal. */
async function workInSavepoint(tx: Database, request: OnceRequest): Promise<KeptAnswer> {
  try {
    return await tx.transaction((savepoint) => request.work(savepoint));
  } catch (error) {
    const kept = request.keep(error);
    if (kept === null) throw error;
    return kept;
  }
}

async function refusedBy(check: () => Promise<void>, request: OnceRequest): Promise<KeptAnswer | null> {
  try {
    await check();
    return null;
  } catch (error) {
    const kept = request.keep(error);
    if (kept === null) throw error;
    return kept;
  }
}

async function findEarlier(ctx: Uses<"clock" | "vault">, db: Database, request: OnceRequest): Promise<KeptAnswer | null> {
  const since = new Date(ctx.clock.now().getTime() - IDEMPOTENCY_LIFETIME_MS);
  const found = await findStoredAnswer(db, request, since);
  if (found === null) return null;
  if (found.bodySha256 !== request.bodySha256) throw new Refusal("idempotency_key_reused");
  if (found.sealedBody !== null && found.answeredTo !== request.callerId) {
    throw new Refusal("idempotency_key_reused", { detail: "Another API key used this Idempotency-Key, and its answer shows a secret." });
  }
  const headers = Object.entries(Object(JSON.parse(found.responseHeaders))).map(([name, value]) => [name, String(value)] as const);
  return {
    status: found.responseStatus,
    headers: Object.fromEntries(headers),
    body: found.sealedBody === null ? found.responseBody : ctx.vault.open(found.sealedBody, keptAnswerOf(request)),
  };
}

function scopeOf({ ownerId, method, path, key }: KeyScope): KeyScope {
  return { ownerId, method, path, key };
}

function stored(ctx: Uses<"vault">, request: OnceRequest, answer: KeptAnswer): StoredAnswer {
  const sealed = request.secret && answer.body !== "";
  return {
    bodySha256: request.bodySha256,
    responseStatus: answer.status,
    responseHeaders: JSON.stringify(answer.headers),
    responseBody: sealed ? "" : answer.body,
    answeredTo: sealed ? request.callerId : null,
    sealedBody: sealed ? ctx.vault.seal(answer.body, keptAnswerOf(request)) : null,
  };
}
