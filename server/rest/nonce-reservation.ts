import type { Operation } from "#contract/operation.ts";
import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import { firstCause } from "#db/trouble.ts";
import type { Context } from "#server/context.ts";
import { refusalFor } from "#server/observe/trouble.ts";
import { authenticateSignedRequest, type SignedArrival } from "#server/services/access/authenticate-signed-request.ts";
import type { KnownKey } from "#server/services/access/known-keys.ts";
import { forgetNonce, spendNonce } from "#server/services/access/spend-nonce.ts";
import { recordKey, refuseTooMany } from "./admit-key.ts";
import { refusedSignature } from "./log-request.ts";
import type { RequestContext } from "./request-context.ts";
import type { SurfaceContext } from "./surface-context.ts";

/**
 * Authenticates a request by every signing check but one, and reserves its nonce: that is spent together with the request's result. A failed
 * check is logged for the debugger.
 */
export async function acceptSigned(
  surfaceContext: SurfaceContext,
  requestContext: RequestContext,
  arrival: SignedArrival,
  { kind }: Operation,
): Promise<KnownKey> {
  const keeping = async <Result>(check: () => Promise<Result>): Promise<Result> => {
    try {
      return await check();
    } catch (error) {
      requestContext.refused = refusedSignature(error, requestContext, arrival);
      throw error;
    }
  };
  const authenticate = () =>
    keeping(() => authenticateSignedRequest(surfaceContext.ctx, surfaceContext.keys, arrival, (found) => recordKey(requestContext, found)));
  const { known, nonce } = await authenticate();
  try {
    refuseTooMany(surfaceContext, requestContext, known.key, kind);
  } catch (tooMany) {
    // Burns no nonce, so that nothing says yet whether the key is still what this process remembers.
    surfaceContext.keys.forget(known);
    await authenticate();
    throw tooMany;
  }
  requestContext.reservation = {
    spend: (ctx) => keeping(() => spendNonce(ctx, surfaceContext.keys, known, nonce)),
    release: (ctx) => forgetNonce(ctx, known.key.id, nonce),
  };
  return known;
}

/** Work that writes: in one transaction with the reservation. Copies wait for it, and get in only when it was rolled back. */
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
    try {
      const result = await together(reservation.spend(within), work(within));
      // Too late: the caller got 503, so nothing of this may stay.
      deadline.close();
      return result;
    } catch (error) {
      // Rolled back with everything else.
      requestContext.reservation = reservation;
      throw error;
    }
  });
}

/**
 * For work that only reads: the nonce is spent before it, and released as soon as the caller gets 503, even while the reading is still
 * stuck, because it has no effect. `surfaceContext`: the service's own powers, which spend it in parallel to the caller's reading.
 */
export async function spendWithReading<Result>(
  surfaceContext: Context,
  requestContext: RequestContext,
  work: () => Promise<Result>,
): Promise<Result> {
  const { reservation } = requestContext;
  if (reservation === null) return await work();
  requestContext.reservation = null;
  const spending = reservation.spend(surfaceContext);
  requestContext.releaseNonce = () =>
    spending.then(
      () => reservation.release(surfaceContext),
      () => {},
    );
  return await together(spending, work());
}

/** For work whose first step writes already: the nonce is spent separately, and released if the caller gets 503. */
export async function spendFirst(surfaceContext: Context, requestContext: RequestContext): Promise<void> {
  const { reservation } = requestContext;
  if (reservation === null) return;
  requestContext.reservation = null;
  await reservation.spend(surfaceContext);
  requestContext.releaseNonce = () => reservation.release(surfaceContext);
}

/** The work's result, if the nonce was accepted: the first queries of both are sent at once. A copy learns nothing else. */
async function together<Result>(spending: Promise<void>, working: Promise<Result>): Promise<Result> {
  const [spent, worked] = await Promise.allSettled([spending, working]);
  if (spent.status === "rejected") throw causeOf(spent.reason, worked);
  if (worked.status === "rejected") throw worked.reason;
  return worked.value;
}

/** Why the reservation failed: of itself, or because the work that was sent with it had. */
function causeOf(spent: unknown, worked: PromiseSettledResult<unknown>): unknown {
  return worked.status === "rejected" ? firstCause([spent, worked.reason]) : spent;
}

/** A refusal other than 503 also spends the nonce, and comes after it: a reused nonce takes precedence. */
export async function spendOnRefusal(ctx: Context, requestContext: RequestContext, error: unknown): Promise<void> {
  if (requestContext.reservation === null || saysAgain(error)) return;
  await spendWithReading(ctx, requestContext, async () => {});
}

function saysAgain(error: unknown): boolean {
  return REFUSAL_STATUS[refusalFor(error).code].status >= 500;
}
