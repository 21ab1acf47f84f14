import { randomBytes } from "node:crypto";
import { encode } from "next-auth/jwt";
import { addressBlock } from "#domain/address-block.ts";
import { DEFAULT_RETENTION } from "#domain/retention.ts";
import { type ConsoleLimits, openConsoleGate } from "#server/auth/console-gate.ts";
import { cookieName, cookieSecret } from "#server/auth/settings.ts";
import type { ConsoleSettings } from "#server/console/trpc/context.ts";
import type { WebParts } from "#server/console/trpc/create-context.ts";
import type { Context } from "#server/context.ts";
import { createRateLimiter } from "#server/rest/rate-limiter.ts";
import { NO_API_LOG } from "#server/services/access/log-api-requests.ts";
import { openSession } from "#server/services/people/sessions/sessions.ts";
import { PASSWORD } from "./people.ts";
import { TEST_SETTINGS } from "./surface.ts";

/** Set-up for tests of the console's HTTP: the parts of a web process over a test database, and cookies of real sessions. */

const CONFIG = {
  ...TEST_SETTINGS,
  port: 3_000,
  vaultKeys: [{ key: randomBytes(32) }],
  rateSource: "fixed" as const,
  rateMaxAgeSeconds: 120,
  retention: DEFAULT_RETENTION,
  callbackAllowedHosts: [],
  fiatRail: { kind: "simulated" as const },
};
/** The settings that the console's procedures see. */
export const TEST_CONSOLE_SETTINGS: ConsoleSettings = { ...CONFIG, mode: "sandbox", playMoney: true };
const NO_LIMITS: ConsoleLimits = { callsPerSecond: 0, signInsPerSecond: 0 };

/** What a web process hands its console; without limits unless the test names some. */
export function consoleParts(ctx: Context, limits: ConsoleLimits = NO_LIMITS): WebParts {
  const gate = openConsoleGate(limits, { take: createRateLimiter().take, clientOf: addressBlock });
  return { ctx, config: CONFIG, ending: new AbortController().signal, apiLog: NO_API_LOG, gate };
}

export type CookieReader = (name: string) => string | undefined;

/** The cookies of a new session of a person made by `addPerson`. */
export async function sessionOf(ctx: Context, { email }: { email: string }): Promise<CookieReader> {
  const { secret } = await openSession(ctx, {
    email,
    password: PASSWORD,
    otp: null,
    address: "10.1.1.1",
    userAgent: null,
    requestId: null,
  });
  const sealed = await encode({ token: { sid: secret }, secret: cookieSecret(CONFIG) });
  return (name) => (name === cookieName(CONFIG, "session") ? sealed : undefined);
}

/** The cookies of a browser that got that header line. */
export function readerOf(line: string): CookieReader {
  const [pair = ""] = line.split(";");
  return (name) => (pair.startsWith(`${name}=`) ? pair.slice(name.length + 1) : undefined);
}

/** A request as the console's own pages send it, as the front door hands it over. */
export function consoleRequest(target: string, init: RequestInit = {}, address = "10.2.2.2"): Request {
  const known = { origin: "http://localhost:3000", "x-client-address": address, "x-request-id": "req_test" };
  return new Request(`http://localhost:3000${target}`, { ...init, headers: { ...known, ...init.headers } });
}
