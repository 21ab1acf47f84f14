import NextAuth from "next-auth";
import { REFUSAL_STATUS, retryAfterOf } from "#contract/refusal-status.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import type { Context } from "#server/context.ts";
import { readClient } from "./client.ts";
import type { ConsoleGate } from "./console-gate.ts";
import { authOptions } from "./options.ts";
import type { AuthSettings } from "./settings.ts";

type Segments = { params: Promise<{ nextauth: string[] }> };
type Parts = { ctx: Context; config: AuthSettings; gate: ConsoleGate };

/** What of next-auth's endpoints the pages use. The others are closed: some answer 500, one lets strangers write into the log. */
const SERVED = new Map([
  ["csrf", "GET"],
  ["signin", "GET"],
  ["callback/credentials", "POST"],
  ["signout", "POST"],
]);
const SIGN_IN_PAGE = "/console/sign-in";

/** next-auth's own endpoints: signing in and out, and the token that its forms carry. */
export async function handleAuth({ ctx, config, gate }: Parts, request: Request, segments: Segments): Promise<Response> {
  const endpoint = (await segments.params).nextauth.join("/");
  const { address } = readClient((name) => request.headers.get(name));
  try {
    refuseForm(request, SERVED.get(endpoint));
    gate.visit(address);
    if (endpoint === "callback/credentials") gate.signIn(address);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refuse(error, SERVED.get(endpoint));
  }
  return await answeredHere(await NextAuth(authOptions(ctx, config))(request, segments));
}

/** @throws Refusal `route_not_found`, `method_not_allowed`, `unsupported_media_type`. */
function refuseForm({ method, headers }: Request, allowed: string | undefined): void {
  if (allowed === undefined) throw new Refusal("route_not_found");
  if (method !== allowed) throw new Refusal("method_not_allowed");
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (method === "POST" && type !== "application/x-www-form-urlencoded") throw new Refusal("unsupported_media_type");
}

/** In next-auth's own shape: its caller finds the code, and the seconds to wait, in the `error` of an address. */
function refuse(refusal: Refusal, allowed = ""): Response {
  const seconds = retryAfterOf(refusal);
  const error = [refusal.code, seconds].filter((part) => part !== null).join(":");
  const { status } = REFUSAL_STATUS[refusal.code];
  const headers = new Headers({ "cache-control": "no-store" });
  if (seconds !== null) headers.set("retry-after", String(seconds));
  if (refusal.code === "method_not_allowed") headers.set("allow", allowed);
  return Response.json({ url: `${SIGN_IN_PAGE}?${new URLSearchParams({ error })}` }, { status, headers });
}

/**
 * next-auth puts a made-up origin into its redirects. Only the path is kept, under the requested address, so nobody can be sent to another
 * site. If it reports that signing in is impossible right now, the status says so too.
 */
async function answeredHere(response: Response): Promise<Response> {
  const { headers } = response;
  const location = headers.get("location");
  if (location !== null) headers.set("location", pathOf(location));
  if (!headers.get("content-type")?.startsWith("application/json")) return response;
  const body: unknown = await response.json();
  if (typeof body !== "object" || body === null || !("url" in body) || typeof body.url !== "string") {
    return Response.json(body, { status: response.status, headers });
  }
  const url = pathOf(body.url);
  const [code, seconds] = (new URL(url, "http://here").searchParams.get("error") ?? "").split(":");
  if (code === "rate_limited" && seconds !== undefined) headers.set("retry-after", seconds);
  if (code === "temporarily_unavailable") headers.set("retry-after", "2");
  const status = code === "rate_limited" ? 429 : code === "temporarily_unavailable" ? 503 : response.status;
  return Response.json({ url }, { status, headers });
}

function pathOf(address: string): string {
  const { pathname, searchParams } = new URL(address, "http://here");
  searchParams.delete("callbackUrl");
  const search = searchParams.size === 0 ? "" : `?${searchParams}`;
  return (pathname.startsWith("/api/auth/") ? SIGN_IN_PAGE : pathname) + search;
}
