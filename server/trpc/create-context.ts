import { readClient } from "#server/auth/client.ts";
import { readSession } from "#server/auth/read-session.ts";
import type { AuthSettings } from "#server/auth/settings.ts";
import type { Context } from "#server/context.ts";
import { LAPSES_HEADER } from "#server/contract/console/lapse.ts";
import type { ApiLog } from "#server/services/access/log-api-requests.ts";
import type { ConsoleSettings, TrpcContext } from "./context.ts";

export type WebParts = { ctx: Context; config: ConsoleSettings & AuthSettings; ending: AbortSignal; apiLog: ApiLog };
/** What is read of a request: a page's or a call's. */
export type RequestParts = { header: (name: string) => string | null; cookie: (name: string) => string | undefined };

/** Everything that procedures are handed for one request. */
export async function createTrpcContext({ ctx, config, ending, apiLog }: WebParts, request: RequestParts): Promise<TrpcContext> {
  const { requestId, address } = readClient(request.header);
  const readHolder = () => readSession(ctx, config, request.cookie);
  return {
    services: ctx,
    settings: shownSettings(config),
    ending,
    apiLog,
    holder: await readHolder(),
    readHolder,
    requestId,
    lapsesAt: request.header(LAPSES_HEADER),
    address,
  };
}

/** No more than is named here ever reaches a page. */
function shownSettings(config: ConsoleSettings): ConsoleSettings {
  const { mode, brand, baseUrl, rateSource, rateMaxAgeSeconds, rateLimits, trustedProxies, callbackAllowedHosts } = config;
  return { mode, brand, baseUrl, rateSource, rateMaxAgeSeconds, rateLimits, trustedProxies, callbackAllowedHosts };
}
