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
/** The most calls in one request: what the console's own client batches. Without a session, only one. */
const MAX_BATCH = 20;
const NO_STORE = { "cache-control": "no-store" };

/**
 * Answers the console's calls. It refuses foreign requests, including those from other origins' pages, before reading anything, and applies
 * the rate limits before looking up the session.
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
  const cookies: string[] = [];
  const setCookie = (line: string) => void cookies.push(line);
  return await fetchRequestHandler({
    endpoint: ENDPOINT,
    req: request,
    router: appRouter,
    maxBatchSize: MAX_BATCH,
    createContext: async ({ info }) => {
      const context = await createTrpcContext(web, { header, cookie, setCookie });
      web.gate.call({ sessionId: context.holder?.sessionId ?? null, address }, info.calls.length);
      return context;
    },
    // A call that never reached its procedure is not in the log yet.
    onError: ({ error, ctx }) => ctx === undefined && recordTrouble(web, error, requestId),
    responseMeta: ({ type, errors }) => (type === "subscription" ? {} : { headers: headersOf(errors, cookies) }),
  });
}

/** Browsers send the origin of the calling page, which must be ours. A mutation must have one. */
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

/** Invalid JSON would fail in the middle of a procedure, as if that were at fault. @throws Refusal `malformed_json`. */
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
  const logAt = code === "internal_error" ? ctx.log.error : ctx.log.warn;
  logAt({ request_id: requestId, surface: "console", code, err: particulars.cause }, "a call was refused");
}

/** Retry-After is also in the headers, where proxies and all kinds of clients look for it. */
function headersOf(errors: readonly TRPCError[], cookies: readonly string[]): Headers {
  const seconds = errors.map((error) => retryAfterOf(refusalOfCall(error))).filter((value) => value !== null);
  const headers = new Headers({ ...NO_STORE, ...(seconds.length > 0 ? { "retry-after": String(Math.max(...seconds)) } : {}) });
  for (const line of cookies) headers.append("set-cookie", line);
  return headers;
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
