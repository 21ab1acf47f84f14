import type { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { REFUSAL_STATUS, retryAfterOf } from "#contract/refusal-status.ts";
import { Refusal } from "#domain/refusal.ts";
import { readClient } from "#server/auth/client.ts";
import { appRouter } from "./router.ts";
import { createTrpcContext, type WebParts } from "./trpc/create-context.ts";
import { refusalOfCall, showRefusal, toRefusal } from "./trpc/refusal-shape.ts";

const ENDPOINT = "/api/trpc";
const METHODS = ["GET", "HEAD", "POST"];
/** Calls in one request: what the console's own client puts together at most. Of nobody only one is looked at. */
const MAX_BATCH = 20;
const NO_STORE = { "cache-control": "no-store" };

/**
 * Answers the console's calls. What is no call of the console's is refused before anything is looked at, calls of other origins' pages
 * among it; who asks too much is told before the session is looked up.
 */
export async function handleTrpc(web: WebParts, request: Request, cookie: (name: string) => string | undefined): Promise<Response> {
  const header = (name: string) => request.headers.get(name);
  const { requestId, address } = readClient(header);
  try {
    refuseForm(request);
    const refusal = refuseOrigin(web.config.baseUrl, request);
    if (refusal !== null) throw refusal;
    web.gate.visit(address);
    await refuseMalformed(request);
  } catch (error) {
    return refuse(toRefusal(error), requestId);
  }
  return await fetchRequestHandler({
    endpoint: ENDPOINT,
    req: request,
    router: appRouter,
    maxBatchSize: MAX_BATCH,
    createContext: async ({ info }) => {
      const context = await createTrpcContext(web, { header, cookie });
      web.gate.call({ sessionId: context.holder?.sessionId ?? null, address }, info.calls.length);
      return context;
    },
    // Of a call that never got to its procedure nothing is in the log yet.
    onError: ({ error, ctx }) => ctx === undefined && recordTrouble(web, error, requestId),
    responseMeta: ({ type, errors }) => (type === "subscription" ? {} : { headers: headersOf(errors) }),
  });
}

/** A browser says which page calls: it must be one of ours. What changes something must say so at all. */
export function refuseOrigin(baseUrl: string, request: Request): Refusal | null {
  const { headers, method } = request;
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site");
  const isOurs = origin === null ? method === "GET" : origin === new URL(baseUrl).origin || hostOf(origin) === headers.get("host");
  const isForeign = site !== null && site !== "same-origin" && site !== "none";
  return isOurs && !isForeign ? null : new Refusal("forbidden", { detail: "The call comes from a page of another origin." });
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

/** @throws Refusal `method_not_allowed`, `unsupported_media_type`. */
function refuseForm({ method, headers }: Request): void {
  if (!METHODS.includes(method)) throw new Refusal("method_not_allowed");
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (method === "POST" && type !== "application/json") throw new Refusal("unsupported_media_type");
}

/** Input that is no JSON would come up in the middle of a procedure, as if that had failed. @throws Refusal `malformed_json`. */
async function refuseMalformed(request: Request): Promise<void> {
  const { searchParams } = new URL(request.url);
  const text = request.method === "POST" ? await request.clone().text() : searchParams.get("input");
  if (!text) return;
  const input = parse(text);
  const isObject = typeof input === "object" && input !== null;
  if (searchParams.get("batch") === "1" && !isObject)
    throw new Refusal("malformed_json", { detail: "A batch must send its inputs as one object." });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal("malformed_json", { cause: error });
  }
}

function recordTrouble({ ctx }: WebParts, error: TRPCError, requestId: string | null): void {
  const { code, particulars } = refusalOfCall(error);
  if (particulars.cause === undefined) return;
  const tell = code === "internal_error" ? ctx.log.error : ctx.log.warn;
  tell({ request_id: requestId, surface: "console", code, err: particulars.cause }, "a call was refused");
}

/** When to ask again stands in the answer's head, where proxies and clients of all kinds look for it. */
function headersOf(errors: readonly TRPCError[]): Headers {
  const seconds = errors.map((error) => retryAfterOf(refusalOfCall(error))).filter((value) => value !== null);
  return new Headers({ ...NO_STORE, ...(seconds.length > 0 ? { "retry-after": String(Math.max(...seconds)) } : {}) });
}

function refuse(refusal: Refusal, requestId: string | null): Response {
  const shown = showRefusal(refusal, requestId);
  const error = { message: refusal.message, code: -32_600, data: { refusal: shown, httpStatus: shown.status } };
  const headers = new Headers(NO_STORE);
  const seconds = retryAfterOf(refusal);
  if (seconds !== null) headers.set("retry-after", String(seconds));
  if (refusal.code === "method_not_allowed") headers.set("allow", METHODS.join(", "));
  return Response.json({ error }, { status: REFUSAL_STATUS[refusal.code].status, headers });
}
