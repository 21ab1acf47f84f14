import { setTimeout as sleep } from "node:timers/promises";
import { deprecationHeaders } from "#contract/deprecation.ts";
import type { Operation } from "#contract/operation.ts";
import { Refusal } from "#domain/refusal.ts";
import { inTenant } from "#server/context.ts";
import { observeRequest } from "#server/observe/record.ts";
import { traceRequest } from "#server/observe/trace.ts";
import { refusalFor } from "#server/observe/trouble.ts";
import { isKeyChanged } from "#server/services/access/spend-nonce.ts";
import { BASELINE } from "./baseline-headers.ts";
import type { Binding } from "./bind.ts";
import { type Caller, idempotencyOwner, rowsOf } from "./callers.ts";
import { logCause, logRequest, requestEnd, settlementIdIn } from "./log-request.ts";
import { fitsPath, readPathParameters } from "./match-path.ts";
import { spendOnRefusal } from "./nonce-reservation.ts";
import { headerOf, isClientGone, isDoubled, type RawRequest, type RawResponse } from "./raw-request.ts";
import { bodyLimitOf, readFormBody, readJsonBody, readQuery, refuseOtherMedia, takesBody } from "./read-input.ts";
import { openRequestContext, operationName, type RequestContext } from "./request-context.ts";
import { respond } from "./respond.ts";
import type { SurfaceContext, SurfaceSettings } from "./surface-context.ts";

/** The part of a request that a refusal repeats. */
export type RefusedRequest = { baseUrl: string; requestId: string; method: string };

/** How requests of one kind are admitted and refused. Everything else is the same for all. */
export type Surface = {
  name: "settlement" | "partner" | "sandbox" | "system";
  /** If false, the surface does not exist. */
  isOpen(settings: SurfaceSettings): boolean;
  /** Lower-case names of headers that decide who calls: each of them at most once. */
  singleHeaders(settings: SurfaceSettings): readonly string[];
  /** Who calls, if it may call this operation. @throws Refusal, in the contract's order. */
  admit(surfaceContext: SurfaceContext, requestContext: RequestContext, operation: Operation, body: Uint8Array): Promise<Caller>;
  /** What a 401 names in `WWW-Authenticate`: how the caller of this operation says who it is. */
  challenge(operation: Operation, settings: SurfaceSettings): string;
  renderRefusal(refusal: Refusal, about: RefusedRequest): RawResponse;
};

/** At most this many requests at once, those that wait for the network included. Those that wait for a connection have a limit of their own. */
const MAX_BUSY = 1_000;
/** How long a 5xx waits for the release of its nonce. With the deadline of 1.8 s that is 2 s; network calls have their own limits. */
const RELEASE_MS = 200;
/** How often a request is authenticated again because its key had changed by the time that its nonce was spent. */
const MAX_REPEATS = 2;
const ALWAYS = { "Cache-Control": "no-store", ...Object.fromEntries(BASELINE) };

/**
 * Answers any request: it never throws. The routes below `app/(settlement)` and the front door call it with their operations (`bindings`)
 * from `registry.ts`. If no operation fits the path, the answer is 404; if none fits the method, 405.
 *
 * `admitAndRespond` below has all checks in order. At its end, `respond.ts` does the operation, and `nonce-reservation.ts` commits it. A
 * request that is refused below 500 once `acceptSigned` has returned spends its nonce: together with the stored refusal if it has an
 * Idempotency-Key, otherwise in `errorAfterSpending`.
 */
export async function handle(
  surface: Surface,
  surfaceContext: SurfaceContext,
  bindings: readonly Binding[],
  raw: RawRequest,
): Promise<RawResponse> {
  const requestContext = openRequestContext(raw, surfaceContext);
  raw.whenGone(requestContext.deadline.leave);
  const work = async () => {
    const answer = await answerOrRefuse(surface, surfaceContext, bindings, requestContext, MAX_REPEATS);
    const headers = { ...ALWAYS, ...requestContext.headers, ...answer.headers, "X-Request-Id": raw.requestId };
    record(surface.name, surfaceContext, requestContext, { ...answer, headers });
    return { ...answer, headers };
  };
  return await traceRequest(headerOf(raw, "traceparent"), work, (answer) => requestEnd(surface.name, requestContext, answer));
}

/** The operation's answer, or the refusal. `repeats`: how often it may still begin again because the API key has changed. */
async function answerOrRefuse(
  surface: Surface,
  surfaceContext: SurfaceContext,
  bindings: readonly Binding[],
  requestContext: RequestContext,
  repeats: number,
): Promise<RawResponse> {
  try {
    return await admitAndRespond(surface, surfaceContext, bindings, requestContext);
  } catch (error) {
    const outcome = await errorAfterSpending(surfaceContext, requestContext, error);
    if (isKeyChanged(outcome) && repeats > 0) {
      // The rest is kept: the body, for example, is read once.
      Object.assign(requestContext, { reservation: null, releaseNonce: null, code: null });
      return await answerOrRefuse(surface, surfaceContext, bindings, requestContext, repeats - 1);
    }
    const answer = refuse(surface, surfaceContext, requestContext, outcome);
    if (answer.status >= 500 || isClientGone(outcome)) await releaseNonce(surfaceContext, requestContext);
    return answer;
  }
}

/**
 * The checks before the caller is known, in the order of contract part 9; then `surface.admit`, the input, and the operation. For a signed
 * request `surface.admit` checks the nonce's form alone; `respond` stores it. Storing refuses a nonce that was used before.
 */
async function admitAndRespond(
  surface: Surface,
  surfaceContext: SurfaceContext,
  bindings: readonly Binding[],
  requestContext: RequestContext,
): Promise<RawResponse> {
  const { raw } = requestContext;
  const { binding, params } = route(surfaceContext, surface.isOpen(surfaceContext.settings) ? bindings : [], requestContext);
  requestContext.settlementId = settlementIdIn(params);
  refuseDoubled(raw, surface.singleHeaders(surfaceContext.settings));
  // Read already, if the request begins again for a changed key.
  requestContext.bytes ??= await raw.readBody(bodyLimitOf(binding.operation));
  const { bytes } = requestContext;
  if (bytes === "too_large") throw tooLarge(binding.operation);
  const { operation, writesFirst = false } = binding;
  const caller = await onDatabase(surfaceContext, requestContext, () => surface.admit(surfaceContext, requestContext, operation, bytes));
  const input = operation.unread ? { query: {}, body: {} } : readBodyAndQuery(operation, raw, bytes);
  requestContext.settlementId ??= settlementIdIn(input.body);
  // Validates parameters, query and body (`validation_failed`). Nothing runs yet.
  const prepare = binding.read(caller, { params, ...input, raw, bytes });
  const owner = idempotencyOwner(caller);
  // From here on the database shows this caller's rows only.
  const ctx = inTenant(surfaceContext.ctx, rowsOf(caller));
  const renderRefusal = (refusal: Refusal) => surface.renderRefusal(refusal, aboutOf(surfaceContext, raw));
  return await onDatabase(surfaceContext, requestContext, () =>
    respond({ surfaceContext, ctx, requestContext, operation, prepare, writesFirst, bytes, owner, renderRefusal }),
  );
}

function readBodyAndQuery(operation: Operation, raw: RawRequest, bytes: Uint8Array) {
  if (takesBody(operation) && bytes.length > 0) refuseOtherMedia(raw, operation.media);
  const body = takesBody(operation) ? readBody(operation, bytes) : {};
  return { body, query: readQuery(raw.query) };
}

function readBody({ media, bodyRequired }: Operation, bytes: Uint8Array): unknown {
  return media === "form" ? readFormBody(bytes) : readJsonBody(bytes, bodyRequired);
}

function tooLarge(operation: Operation): Refusal {
  return new Refusal("body_too_large", { detail: `The body is larger than ${bodyLimitOf(operation) / 1_024} KiB.` });
}

function route(surfaceContext: SurfaceContext, bindings: readonly Binding[], requestContext: RequestContext) {
  const { raw } = requestContext;
  const segments = raw.path.split("/");
  const matching = bindings.filter(({ pattern }) => fitsPath(pattern, segments));
  if (matching.length === 0) throw new Refusal("route_not_found");
  // `/settlements/confirm` is its own path and no settlement's id.
  const fewest = Math.min(...matching.map(({ pattern }) => pattern.parameters.length));
  const fitting = matching.filter(({ pattern }) => pattern.parameters.length === fewest);
  // A HEAD is answered as its GET is; `node:http` leaves the body out.
  const method = raw.method === "HEAD" ? "GET" : raw.method;
  const binding = fitting.find(({ operation }) => operation.method === method);
  if (binding === undefined) {
    const known = fitting.flatMap(({ operation }) => (operation.method === "GET" ? ["GET", "HEAD"] : [operation.method]));
    requestContext.headers.Allow = [...new Set(known)].sort().join(", ");
    throw new Refusal("method_not_allowed");
  }
  requestContext.operation = binding.operation;
  Object.assign(requestContext.headers, deprecationHeaders(binding.operation, surfaceContext.settings.baseUrl));
  return { binding, params: readPathParameters(binding.pattern, segments) };
}

function refuseDoubled(raw: RawRequest, names: readonly string[]): void {
  const doubled = names.find((name) => isDoubled(raw, name));
  if (doubled !== undefined) throw new Refusal("malformed_header", { detail: `The header ${doubled} was sent more than once.` });
}

/**
 * Work on the database within the request's deadline: 503 when that passes, and at once while too much other work is unfinished. All calls of a
 * request share one deadline, and `respond` pauses it for network calls. Work goes on after the 503, without effect on the answer.
 */
async function onDatabase<Result>(
  surfaceContext: SurfaceContext,
  requestContext: RequestContext,
  work: () => Promise<Result>,
): Promise<Result> {
  const { busy, concurrency } = surfaceContext;
  if (busy.count - concurrency.read.waiting - concurrency.write.waiting >= MAX_BUSY)
    throw new Refusal("temporarily_unavailable", { cause: new Error("too much work is under way") });
  return await requestContext.deadline.run(async () => {
    busy.count += 1;
    try {
      return await work();
    } finally {
      busy.count -= 1;
    }
  });
}

/** Spends the nonce of a refused request, unless that has happened. Returns the error to answer: this one, or the one that spending the nonce met (`nonce_reused`). */
async function errorAfterSpending(surfaceContext: SurfaceContext, requestContext: RequestContext, error: unknown): Promise<unknown> {
  if (requestContext.reservation === null) return error;
  try {
    await onDatabase(surfaceContext, requestContext, () => spendOnRefusal(surfaceContext.ctx, requestContext, error));
    return error;
  } catch (spendingError) {
    return spendingError;
  }
}

/** Releases the nonce of a request that gets a 5xx, or whose caller left, before the answer, so that it may be sent again. It waits only `RELEASE_MS`. */
async function releaseNonce(surfaceContext: SurfaceContext, requestContext: RequestContext): Promise<void> {
  const releasing = requestContext.releaseNonce?.().catch((error: unknown) => {
    surfaceContext.ctx.log.warn({ request_id: requestContext.raw.requestId, err: error }, "a nonce could not be released");
  });
  if (releasing) await Promise.race([releasing, sleep(RELEASE_MS, undefined, { ref: false })]);
}

function refuse(surface: Surface, surfaceContext: SurfaceContext, requestContext: RequestContext, error: unknown): RawResponse {
  const { raw } = requestContext;
  // No client reads this 400: the connection is gone.
  const refusal = isClientGone(error) ? new Refusal("malformed_header", { detail: "The request ended early." }) : refusalFor(error);
  requestContext.code = refusal.code;
  logCause(surfaceContext, requestContext, refusal);
  const answer = surface.renderRefusal(refusal, aboutOf(surfaceContext, raw));
  if (answer.status === 401 && requestContext.operation !== null)
    requestContext.headers["WWW-Authenticate"] = surface.challenge(requestContext.operation, surfaceContext.settings);
  return answer;
}

function aboutOf(surfaceContext: SurfaceContext, { requestId, method }: RawRequest): RefusedRequest {
  return { baseUrl: surfaceContext.settings.baseUrl, requestId, method };
}

function record(surface: Surface["name"], surfaceContext: SurfaceContext, requestContext: RequestContext, answer: RawResponse): void {
  const { raw, code } = requestContext;
  const operation = operationName(requestContext);
  const { status } = answer;
  const milliseconds = performance.now() - raw.arrivedAt;
  observeRequest({ surface, operation, status, code, seconds: milliseconds / 1_000 });
  surfaceContext.ctx.log.info(
    {
      request_id: raw.requestId,
      surface,
      operation,
      method: raw.method,
      path: raw.path.slice(0, 256),
      status,
      code,
      duration_ms: Math.round(milliseconds * 100) / 100,
      api_key_id: requestContext.apiKeyId,
      partner_id: requestContext.partnerId,
      user_id: requestContext.userId,
    },
    "request",
  );
  logRequest(surfaceContext, surface, requestContext, answer, milliseconds);
}
