import { LAPSES_HEADER, SIGNED_HEADER } from "#contract/lapse.ts";
import type { Replica } from "#db/replica.ts";
import { Refusal } from "#domain/refusal.ts";
import { readClient } from "#server/auth/client.ts";
import type { ConsoleGate } from "#server/auth/console-gate.ts";
import { readSession } from "#server/auth/read-session.ts";
import { sessionCookie } from "#server/auth/session-cookie.ts";
import type { AuthSettings } from "#server/auth/settings.ts";
import type { Context } from "#server/context.ts";
import type { ApiLog } from "#server/services/access/log-api-requests.ts";
import { enterAgain } from "#server/services/people/sessions/sessions.ts";
import type { ConsoleSettings, TrpcContext } from "./context.ts";
import { liveHub } from "./live-hub.ts";

type ConsoleConfig = Omit<ConsoleSettings, "playMoney"> & { fiatRail: { kind: "simulated" | "http" } };

export type WebParts = {
  ctx: Context;
  config: ConsoleConfig & AuthSettings;
  ending: AbortSignal;
  apiLog: ApiLog;
  replica?: Replica | null;
  gate: ConsoleGate;
};
/** The parts of a request that are read: a page's or a call's. */
export type RequestParts = {
  header: (name: string) => string | null;
  cookie: (name: string) => string | undefined;
  /** Takes a header line for the answer. A page's answer has begun already, and takes none. */
  setCookie?: (line: string) => void;
};

/** As on the surfaces: the caller gets an answer within two seconds, whatever the database does. */
const PATIENCE_MS = 1_700;

/** Everything that procedures are handed for one request. @throws Refusal `temporarily_unavailable` when the session cannot be looked up. */
export async function createTrpcContext(
  { ctx, config, ending, apiLog, replica = null }: Omit<WebParts, "gate">,
  request: RequestParts,
): Promise<TrpcContext> {
  const { requestId, address } = readClient(request.header);
  const holder = await inTime(readSession(ctx, config, request.cookie));
  return {
    services: ctx,
    settings: shownSettings(config),
    live: liveHub(ctx),
    ending,
    apiLog,
    replica,
    holder,
    readHolder: async () => (holder === null ? null : await inTime(enterAgain(ctx, holder.sessionId))),
    renewCookie: async (secret) => {
      if (holder === null || request.setCookie === undefined) throw new Error("this answer takes no cookie");
      request.setCookie(await sessionCookie(config, { secret, expiresAt: holder.expiresAt }, ctx.clock.now()));
    },
    requestId,
    lapsesAt: request.header(LAPSES_HEADER),
    signed: request.header(SIGNED_HEADER),
    address,
  };
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const cause = new Error("the database did not answer in time");
    timer = setTimeout(() => reject(new Refusal("temporarily_unavailable", { cause })), PATIENCE_MS);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** No more than is named here ever reaches a page. */
function shownSettings(config: ConsoleConfig): ConsoleSettings {
  const { mode, brand, baseUrl, rateSource, rateMaxAgeSeconds, rateLimits, trustedProxies, callbackAllowedHosts, retention } = config;
  const playMoney = config.fiatRail.kind === "simulated";
  return { mode, brand, baseUrl, rateSource, rateMaxAgeSeconds, rateLimits, trustedProxies, callbackAllowedHosts, retention, playMoney };
}
