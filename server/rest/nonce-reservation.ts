import type { Operation } from "#contract/operation.ts";
import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import { transactionOf } from "#db/transaction.ts";
import { firstCause } from "#db/trouble.ts";
import type { Context } from "#server/context.ts";
import { refusalFor } from "#server/observe/trouble.ts";
import { authenticateSignedRequest, type SignedArrival } from "#server/services/access/authenticate-signed-request.ts";
import type { KnownKey } from "#server/services/access/known-keys.ts";
import { forgetNonce, spendNonce } from "#server/services/access/spend-nonce.ts";
import { noteKey, refuseTooMany } from "./admit-key.ts";
import { refusedSignature } from "./log-request.ts";
import type { RequestContext } from "./request-context.ts";
import type { SurfaceContext } from "./surface-context.ts";

/**
 * Authenticates a signed request and refuses it above its rate. It does not store the nonce yet: it leaves in `requestContext.reservation`
 * how to do that. One of the functions below does it, and only then is it known whether the nonce is new. A failed check is logged for the
 * signature debugger. @throws Refusal, in this order: `unknown_api_key`, `revoked_api_key`, `stale_timestamp`, `invalid_nonce`,
 * `signature_mismatch`, `rate_limited`.
 */
export async function acceptSigned(
  surfaceContext: SurfaceContext,
  requestContext: RequestContext,
  arrival: SignedArrival,
  { kind }: Operation,
): Promise<KnownKey> {
  const loggingRefusal = async <Result>(check: () => Promise<Result>): Promise<Result> => {
    try {
      return await check();
    } catch (error) {
      requestContext.refused = refusedSignature(error, requestContext, arrival);
      throw error;
    }
  };
  const authenticate = () =>
    loggingRefusal(() =>
      authenticateSignedRequest(surfaceContext.ctx, surfaceContext.keys, arrival, (found) => noteKey(requestContext, found)),
    );
  const { known, nonce } = await authenticate();
  try {
    refuseTooMany(surfaceContext, requestContext, known.key, kind);
  } catch (tooMany) {
    // The key may come from this process's memory. Spending a nonce would notice a changed key. A request above its rate spends none, so
    // the key is read again here.
    surfaceContext.keys.forget(known);
    await authenticate();
    throw tooMany;
  }
  requestContext.reservation = {
    // Inserts the nonce's row. It fails if the row exists (`nonce_reused`), or if the key has changed since it was read (`KeyChanged`).
    spend: (ctx) => loggingRefusal(() => spendNonce(ctx, surfaceContext.keys, known, nonce)),
    release: (ctx) => forgetNonce(ctx, known, nonce),
  };
  return known;
}

/**
 * For work that writes: one transaction does the work, spends the nonce and **commits** both. A copy of the request waits for this
 * transaction, and is admitted only if it rolls back. Without a reservation the work opens its own transactions.
 */
export async function spendWithWork<Result>(
  ctx: Context,
  requestContext: RequestContext,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const { reservation, deadline } = requestContext;
  if (reservation === null) return await work(ctx);
  requestContext.reservation = null;
  return await ctx.db.transaction(async (tx) => {
    const within = { ...ctx, db: tx };
    // Its caller has 503 by then, and the statements would keep a connection from others.
    deadline.whenOver(() => transactionOf(tx)?.cancel());
    try {
      const result = await together(reservation.spend(within), work(within));
      // If the deadline has passed, the caller already has 503: this throws, and everything rolls back, the nonce too. Otherwise the commit
      // gets 200 ms. If its answer comes later or never, the caller gets 503, the work may be stored, and the nonce stays spent. The same
      // request under a new nonce then gets the stored result.
      deadline.close();
      // The next statement that the database gets is the commit.
      return result;
    } catch (error) {
      // The nonce is rolled back too, so it is still to be spent.
      requestContext.reservation = reservation;
      throw error;
    }
  });
}

/**
 * For work that only reads. The nonce is released when the caller gets 503, even if the reading still runs: it has no effect. The nonce is
 * spent with the service's own powers (`serviceCtx`); the work has the caller's.
 */
export async function spendWithReading<Result>(
  serviceCtx: Context,
  requestContext: RequestContext,
  work: () => Promise<Result>,
): Promise<Result> {
  const { reservation } = requestContext;
  if (reservation === null) return await work();
  requestContext.reservation = null;
  const spending = reservation.spend(serviceCtx);
  requestContext.releaseNonce = () =>
    spending.then(
      () => reservation.release(serviceCtx),
      () => {},
    );
  return await together(spending, work());
}

/** For work whose first step writes already: the nonce is spent separately, and released if the caller gets 503. */
export async function spendBeforeWork(serviceCtx: Context, requestContext: RequestContext): Promise<void> {
  const { reservation } = requestContext;
  if (reservation === null) return;
  requestContext.reservation = null;
  await reservation.spend(serviceCtx);
  requestContext.releaseNonce = () => reservation.release(serviceCtx);
}

/** Sends the first queries of both at once. Returns the work's result if the nonce was accepted: a copy learns nothing but `nonce_reused`. */
async function together<Result>(spending: Promise<void>, working: Promise<Result>): Promise<Result> {
  const [spent, worked] = await Promise.allSettled([spending, working]);
  if (spent.status === "rejected") throw firstError(spent.reason, worked);
  if (worked.status === "rejected") throw worked.reason;
  return worked.value;
}

/** In `spendWithWork` both share a transaction: when the work fails first, spending the nonce fails because of it. */
function firstError(spendingError: unknown, worked: PromiseSettledResult<unknown>): unknown {
  return worked.status === "rejected" ? firstCause([spendingError, worked.reason]) : spendingError;
}

/**
 * A request that is refused below 500 after `acceptSigned` has returned also spends its nonce: here, or together with a refusal that is stored
 * under an Idempotency-Key. If the nonce was used before, the answer is `nonce_reused`. `KeyChanged` counts as a 500 and spends nothing.
 */
export async function spendOnRefusal(ctx: Context, requestContext: RequestContext, error: unknown): Promise<void> {
  if (requestContext.reservation === null || invitesRetry(error)) return;
  await spendWithReading(ctx, requestContext, async () => {});
}

function invitesRetry(error: unknown): boolean {
  return REFUSAL_STATUS[refusalFor(error).code].status >= 500;
}
