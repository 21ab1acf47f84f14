import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { REFUSAL_STATUS } from "#server/contract/refusal-status.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { createTrpcContext, type WebParts } from "./create-context.ts";
import { showRefusal } from "./refusal-shape.ts";
import { appRouter } from "./router.ts";

const ENDPOINT = "/api/trpc";
const MAX_BODY_BYTES = 65_536;

/** Answers the console's calls. Calls of other origins' pages are refused before anything is looked at. */
export async function handleTrpc(web: WebParts, request: Request, cookie: (name: string) => string | undefined): Promise<Response> {
  const refusal = refuseOrigin(web.config.baseUrl, request) ?? refuseSize(request);
  if (refusal !== null) return refuse(refusal, request.headers.get("x-request-id"));
  const header = (name: string) => request.headers.get(name);
  return await fetchRequestHandler({
    endpoint: ENDPOINT,
    req: request,
    router: appRouter,
    createContext: () => createTrpcContext(web, { header, cookie }),
    responseMeta: ({ type }) => (type === "subscription" ? {} : { headers: new Headers({ "cache-control": "no-store" }) }),
  });
}

/** A browser says which page calls: it must be one of ours. What changes something must say so at all. */
export function refuseOrigin(baseUrl: string, request: Request): Refusal | null {
  const { headers, method } = request;
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site");
  const isOurs = origin === null ? method === "GET" : origin === new URL(baseUrl).origin || hostOf(origin) === headers.get("host");
  const isForeign = site !== null && site !== "same-origin" && site !== "none";
  return isOurs && !isForeign ? null : new Refusal("forbidden", { detail: "The call comes from another origin's page." });
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

function refuseSize({ method, headers }: Request): Refusal | null {
  if (method === "GET") return null;
  const length = Number(headers.get("content-length") ?? Number.NaN);
  return length <= MAX_BODY_BYTES ? null : new Refusal("body_too_large");
}

function refuse(refusal: Refusal, requestId: string | null): Response {
  const shown = showRefusal(refusal, requestId);
  const error = { message: refusal.message, code: -32_600, data: { refusal: shown } };
  return Response.json({ error }, { status: REFUSAL_STATUS[refusal.code].status, headers: { "cache-control": "no-store" } });
}
