import { hash } from "node:crypto";
import { z } from "zod";
import type { Operation } from "#contract/operation.ts";
import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import { isRefusal, REFUSAL_CODES, Refusal, type RefusalCode } from "#domain/refusal.ts";
import type { Context } from "#server/context.ts";
import { answerOnce, type KeptAnswer, type OnceRequest } from "#server/services/access/answer-once.ts";
import type { Prepare, Run } from "./bind.ts";
import type { IdempotencyOwner } from "./callers.ts";
import { logCause } from "./log-request.ts";
import { spendBeforeWork, spendWithReading, spendWithWork } from "./nonce-reservation.ts";
import { headerOf, isDoubled, type RawRequest, type RawResponse } from "./raw-request.ts";
import { renderJson } from "./render-json.ts";
import type { RequestContext } from "./request-context.ts";
import type { SurfaceContext } from "./surface-context.ts";

/**
 * The errors that are stored under an Idempotency-Key, besides good answers (contract, part 9). Never 401, 429 or 5xx, and never for an
 * invalid request, which began nothing.
 */
const KEPT_STATUSES: readonly number[] = [404, 409, 410, 422];
/** Codes that mean that this request began nothing, or that another one is in progress. */
const NEVER_KEPT: readonly RefusalCode[] = ["validation_failed", "idempotency_in_progress", "idempotency_key_reused"];

const RefusalBody = z.object({ code: z.enum(REFUSAL_CODES) });

export type Pending = {
  surfaceContext: SurfaceContext;
  /** The powers of the operation. Its database shows the caller's rows only. */
  ctx: Context;
  requestContext: RequestContext;
  operation: Operation;
  /** Makes the operation's network calls, and returns the operation. */
  prepare: Prepare;
  /** `prepare` writes already, so the nonce is spent before it. */
  writesFirst: boolean;
  bytes: Uint8Array;
  /** The owner of its Idempotency-Key; null: the header is ignored. */
  owner: IdempotencyOwner | null;
  renderRefusal(refusal: Refusal): RawResponse;
};

/**
 * Does the operation and renders its answer: network calls first, then one transaction, which also spends the nonce. With an
 * Idempotency-Key it does so once per key.
 */
export async function respond(pending: Pending): Promise<RawResponse> {
  const { surfaceContext, ctx, requestContext, operation, prepare, writesFirst, owner } = pending;
  const key = operation.method === "POST" && owner !== null ? readIdempotencyKey(requestContext.raw) : null;
  // Each `check` refuses with 503 once the request's time on the database is up.
  requestContext.deadline.check();
  if (writesFirst) await spendBeforeWork(surfaceContext.ctx, requestContext);
  if (owner !== null && key !== null) return await respondOnce(pending, owner, key);
  const run = await requestContext.deadline.pause(() => prepare(ctx));
  requestContext.deadline.check();
  if (operation.kind === "read")
    return await inTurn(pending, () => spendWithReading(surfaceContext.ctx, requestContext, () => perform(pending, run, ctx)));
  return await inTurn(pending, () => spendWithWork(ctx, requestContext, (within) => perform(pending, run, within)));
}

/**
 * Work on the database waits in its key's queue for a connection.
 *
 * @throws Refusal `temporarily_unavailable` when its turn does not come in time, and nothing was done
 */
async function inTurn<Result>({ surfaceContext, requestContext, operation }: Pending, work: () => Promise<Result>): Promise<Result> {
  const { apiKeyId, userId, address, deadline } = requestContext;
  return await surfaceContext.concurrency[operation.kind].run({ key: apiKeyId ?? userId ?? address, check: deadline.check }, work);
}

/**
 * With an Idempotency-Key. For 24 hours `answerOnce` replays the stored answer of this key, even where a network call refuses by then.
 * Otherwise it does the work and stores its answer in the same transaction. The work runs in a savepoint: a refusal undoes it, and is stored.
 * It refuses while another request with this key is in progress, and if the key was used with another body.
 */
async function respondOnce(pending: Pending, owner: IdempotencyOwner, key: string): Promise<RawResponse> {
  const { ctx, requestContext, operation, prepare, bytes } = pending;
  // No transaction waits for the network. If a network call refused, `answerOnce` gets the refusal and stores it in place of an answer.
  const preparedOrRefusal = await outcomeOf(() => requestContext.deadline.pause(() => prepare(ctx)));
  requestContext.deadline.check();
  const request: OnceRequest = {
    ...owner,
    method: requestContext.raw.method,
    path: requestContext.raw.path,
    key,
    bodySha256: hash("sha256", bytes),
    secret: operation.secret === true,
    // `answerOnce` calls this after it has looked for a stored answer, and before it locks the key.
    throwIfRefused: async () => void preparedOrRefusal(),
    work: async (tx) => {
      requestContext.deadline.check();
      const done = await perform(pending, preparedOrRefusal(), { ...ctx, db: tx });
      // Here too, because a refusal by the deadline must not be stored.
      requestContext.deadline.check();
      return done;
    },
    keep: (error) => keptRefusal(pending, error),
  };
  const { answer, replayed } = await inTurn(pending, () => spendWithWork(ctx, requestContext, (within) => answerOnce(within, request)));
  if (!replayed) return answer;
  requestContext.code = codeOf(answer);
  return { ...answer, headers: { ...answer.headers, "Idempotent-Replayed": "true" } };
}

/** The code of a stored refusal, for the log; null: a stored success. */
function codeOf({ status, body }: KeptAnswer): RefusalCode | null {
  return status < 400 ? null : (RefusalBody.safeParse(JSON.parse(body)).data?.code ?? null);
}

/** Does the work now. The function that it returns gives the result, or throws the error. */
async function outcomeOf<Result>(work: () => Promise<Result>): Promise<() => Result> {
  try {
    const result = await work();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Runs the operation on the open transaction, and renders its answer before the commit. */
async function perform({ surfaceContext, operation }: Pending, run: Run, ctx: Context): Promise<KeptAnswer> {
  const { body, headers = {}, status = operation.status } = await run(ctx);
  if (status === 204) return { status, headers, body: "" };
  const text = renderJson(body);
  if (surfaceContext.settings.checksAnswers) checkAnswer(surfaceContext, operation, text);
  return { status, headers: { "Content-Type": "application/json", ...headers }, body: text };
}

/** Parses an answer as the caller would. Only tests and sandboxes do it, not live traffic. */
function checkAnswer(surfaceContext: SurfaceContext, operation: Operation, text: string): void {
  const checked = operation.result.safeParse(JSON.parse(text));
  if (!checked.success)
    surfaceContext.ctx.log.error({ operation: operation.id, issues: checked.error.issues }, "an answer does not match its schema");
}

function keptRefusal({ surfaceContext, requestContext, renderRefusal }: Pending, error: unknown): KeptAnswer | null {
  if (!isRefusal(error) || NEVER_KEPT.includes(error.code) || !KEPT_STATUSES.includes(REFUSAL_STATUS[error.code].status)) return null;
  requestContext.code = error.code;
  logCause(surfaceContext, requestContext, error);
  const answer = renderRefusal(error);
  return { ...answer, body: answer.body ?? "" };
}

/** @throws Refusal `malformed_header` unless it is sent once, 1 to 255 visible ASCII characters. */
export function readIdempotencyKey(raw: RawRequest): string | null {
  if (!raw.headers.has("idempotency-key")) return null;
  const key = headerOf(raw, "idempotency-key") ?? "";
  if (!isDoubled(raw, "idempotency-key") && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Refusal("malformed_header", { detail: "Idempotency-Key must be sent once, 1 to 255 visible ASCII characters." });
}
