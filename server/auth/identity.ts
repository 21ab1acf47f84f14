import { REFUSAL_STATUS, retryAfterOf } from "#contract/refusal-status.ts";
import { consolePageOf } from "#domain/console-page.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import type { Context } from "#server/context.ts";
import { beginRequest, startRequest } from "#server/services/identity-providers/ask-provider.ts";
import { finishRequest } from "#server/services/identity-providers/finish-request.ts";
import { RefusedIdentity } from "#server/services/identity-providers/record-refused.ts";
import { signOutByProvider } from "#server/services/identity-providers/sign-out-by-provider.ts";
import { readClient } from "./client.ts";
import type { ConsoleGate } from "./console-gate.ts";
import { readSession } from "./read-session.ts";
import { cookieLine, sessionCookie } from "./session-cookie.ts";
import { type AuthSettings, cookieName } from "./settings.ts";

type Parts = { ctx: Context; config: AuthSettings; gate: ConsoleGate };
type Segments = { params: Promise<{ path: string[] }> };

const SIGN_IN_PAGE = "/console/sign-in";
/** The browser keeps a request's secret this long. */
const ANSWER_SECONDS = 600;

/**
 * Signing in with a company's identity: `start/ID` sends the browser to the provider, `callback/ID` takes its answer, `sign-out/ID` the
 * provider's own order.
 */
export async function handleIdentity(parts: Parts, request: Request, segments: Segments): Promise<Response> {
  const [step, providerId, ...more] = (await segments.params).path;
  if (providerId === undefined || more.length > 0) return refused(new Refusal("route_not_found"));
  const { address } = readClient((name) => request.headers.get(name));
  const allowed = step === "sign-out" ? "POST" : "GET";
  try {
    if (step !== "start" && step !== "callback" && step !== "sign-out") throw new Refusal("route_not_found");
    if (request.method !== allowed) throw new Refusal("method_not_allowed");
    parts.gate.visit(address);
    if (step === "sign-out") return await signOut(parts, request, providerId);
    parts.gate.signIn(address);
  } catch (error) {
    if (isRefusal(error)) return step === "start" || step === "callback" ? toSignIn(error.code, request) : refused(error, allowed);
    throw error;
  }
  return await (step === "start" ? start : callback)(parts, request, providerId).catch((error: unknown) =>
    toSignIn(codeOf(parts, error), request),
  );
}

/** With a ticket, a person who is signed in asks: only in that person's own session. */
async function start({ ctx, config }: Parts, request: Request, providerId: string): Promise<Response> {
  const asked = new URL(request.url).searchParams;
  const ticket = asked.get("ticket");
  const target = consolePageOf(asked.get("next")?.slice(0, 1_000));
  const secret = ticket ?? (await beginRequest(ctx, { providerId, purpose: "sign_in", sessionId: null, target }));
  const { url, sessionId } = await startRequest(ctx, { secret, baseUrl: config.baseUrl });
  const holder = await readSession(ctx, config, (name) => cookieOf(request, name));
  // Somebody else's ticket would let them answer in this browser.
  if (ticket !== null && (sessionId === null || holder?.sessionId !== sessionId)) throw new Refusal("not_found");
  return answer(303, url.href, [cookieLine(config, "provider", secret, ANSWER_SECONDS)]);
}

async function callback({ ctx, config }: Parts, request: Request, providerId: string): Promise<Response> {
  const client = readClient((name) => request.headers.get(name));
  const { pathname, search } = new URL(request.url);
  const finished = await finishRequest(ctx, {
    providerId,
    secret: cookieOf(request, cookieName(config, "provider")) ?? null,
    url: new URL(pathname + search, config.baseUrl),
    baseUrl: config.baseUrl,
    holder: await readSession(ctx, config, (name) => cookieOf(request, name)),
    client,
  });
  const kept = finished.session === null ? [] : [await sessionCookie(config, finished.session, ctx.clock.now())];
  return answer(303, finished.target, [cookieLine(config, "provider", "", 0), ...kept]);
}

/** OpenID Connect Back-Channel Logout 1.0, 2.8: 200, or 400 with one public sentence. */
async function signOut({ ctx, config }: Parts, request: Request, providerId: string): Promise<Response> {
  const { address, requestId } = readClient((name) => request.headers.get(name));
  const token = new URLSearchParams(await request.text()).get("logout_token") ?? "";
  try {
    await signOutByProvider(ctx, { providerId, token, baseUrl: config.baseUrl, address, requestId });
    return new Response(null, { status: 200, headers: { "cache-control": "no-store" } });
  } catch (error) {
    if (!(error instanceof RefusedIdentity)) {
      ctx.log.error({ err: error, request_id: requestId, provider_id: providerId }, "a provider's sign-out could not be read");
      return new Response(null, { status: 503, headers: { "cache-control": "no-store", "retry-after": "5" } });
    }
    const body = { error: "invalid_request", error_description: "The order to sign out was refused." };
    return Response.json(body, { status: 400, headers: { "cache-control": "no-store" } });
  }
}

/** One public sentence for every refusal: the audit log alone has the reason. */
function codeOf({ ctx }: Parts, error: unknown): string {
  if (error instanceof RefusedIdentity) return "provider_refused";
  if (isRefusal(error)) return error.code === "temporarily_unavailable" ? error.code : "provider_refused";
  ctx.log.error({ err: error }, "a sign-in with a company's identity failed");
  return error instanceof Error && error.name === "Unreachable" ? "provider_away" : "temporarily_unavailable";
}

function toSignIn(error: string, request: Request): Response {
  const wasSignedIn = new URL(request.url).searchParams.has("ticket");
  return answer(303, `${wasSignedIn ? "/console/account" : SIGN_IN_PAGE}?${new URLSearchParams({ error })}`, []);
}

function answer(status: number, location: string, cookies: string[]): Response {
  const headers = new Headers({ location, "cache-control": "no-store", "referrer-policy": "no-referrer" });
  for (const each of cookies) headers.append("set-cookie", each);
  return new Response(null, { status, headers });
}

function refused(refusal: Refusal, allow?: string): Response {
  const { status, title } = REFUSAL_STATUS[refusal.code];
  const headers = new Headers({ "cache-control": "no-store" });
  const seconds = retryAfterOf(refusal);
  if (seconds !== null) headers.set("retry-after", String(seconds));
  if (allow !== undefined && refusal.code === "method_not_allowed") headers.set("allow", allow);
  return Response.json({ code: refusal.code, title }, { status, headers });
}

function cookieOf(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get("cookie") ?? "").split(/;\s*/)) {
    const at = pair.indexOf("=");
    if (pair.slice(0, at) === name) return pair.slice(at + 1);
  }
  return undefined;
}
