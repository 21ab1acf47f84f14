import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import { apiRequests } from "#db/schema/api-requests.ts";
import { SYSTEM } from "#domain/access.ts";
import type { Context } from "#server/context.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { revokeApiKey } from "#server/services/access/revoke-api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { messageSigned } from "#testing/message-signature.ts";
import {
  issueKey,
  type RequestParts,
  rawRequest,
  readAnswer,
  signatureOf,
  type signedRequest,
  TEST_SETTINGS,
  testContext,
} from "#testing/surface.ts";
import { REGISTRY } from "./registry.ts";
import { handle } from "./surface.ts";
import { openLoggingSurfaceContext, type SurfaceSettings } from "./surface-context.ts";

/**
 * How much somebody who only knows a key's id can write into its partner's API log: the id travels in every request, so it is not secret.
 */

const A_MINUTE = 60;
const SENT = A_MINUTE + 8;
const BODY = '{"name":"x"}';
const TARGETS = { settlement: "/api/v1/echo", partner: "/partners/api-keys" } as const;
type SurfaceName = keyof typeof TARGETS;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createTestDatabase();
  // Within one minute, however long the test takes.
  const now = new Date();
  ctx = { ...testContext(database.db), clock: { now: () => now } };
});
afterAll(() => database.close());

const of = (surface: SurfaceName): RequestParts => ({ method: "POST", target: TARGETS[surface], body: BODY });
const named = (surface: SurfaceName, { apiKey }: IssuedApiKey) => ({ [surface === "partner" ? "apiKey" : "Authorization"]: apiKey });

type Signing = NonNullable<Parameters<typeof signedRequest>[1]>;
/** The request in the five headers of the contract's part 3. */
function byHeaders(surface: SurfaceName, key: IssuedApiKey, signing: Partial<Signing> = {}): RequestParts {
  const signature = signatureOf(key.apiSecret, { ...of(surface), ...signing });
  return { ...of(surface), headers: { "Content-Type": "application/json", ...named(surface, key), ...signature, ...signing.headers } };
}
const byMessage = (surface: SurfaceName, key: IssuedApiKey, signing: Parameters<typeof messageSigned>[2] = {}) =>
  messageSigned(key, { ...of(surface), headers: named(surface, key) }, signing);

const wrong = (key: IssuedApiKey): IssuedApiKey => ({ ...key, apiSecret: "sec_test_wrong" });
const USED = randomUUID();

/** How each refusal of a known key comes about. A nonce is spent by the first request of a case, and refused from the second on. */
const REFUSALS: Record<string, Partial<Record<"headers" | "message", (surface: SurfaceName, key: IssuedApiKey) => RequestParts>>> = {
  missing_credentials: {
    headers: (surface, key) => byHeaders(surface, key, { headers: { "X-Service-Nonce": null } }),
    message: (surface, key) => byMessage(surface, key, { covered: '("@method")' }),
  },
  revoked_api_key: { headers: byHeaders, message: byMessage },
  stale_timestamp: {
    headers: (surface, key) => byHeaders(surface, key, { timestamp: "1" }),
    message: (surface, key) => byMessage(surface, key, { created: 1 }),
  },
  invalid_nonce: {
    headers: (surface, key) => byHeaders(surface, key, { nonce: "x" }),
    message: (surface, key) => byMessage(surface, key, { nonce: "x" }),
  },
  signature_mismatch: {
    headers: (surface, key) => byHeaders(surface, wrong(key)),
    message: (surface, key) => byMessage(surface, wrong(key)),
  },
  nonce_reused: {
    headers: (surface, key) => byHeaders(surface, key, { nonce: USED }),
    message: (surface, key) => byMessage(surface, key, { nonce: USED }),
  },
};
/** The partner-management surface's answer to a call without a signature. */
const UNSIGNED: typeof REFUSALS = {
  signature_required: { headers: (surface, key) => ({ ...of(surface), headers: named(surface, key) }) },
};
/** 401 where no key is known: nothing of it is written into a partner's log. */
const NO_KEYS = ["missing_api_key", "unknown_api_key", "invalid_credentials", "invalid_token", "one_time_code_required"];

/** The partner-management surface asks a key with signed management for a signature, whatever is missing. */
const answeredAs = (surface: SurfaceName, code: string) =>
  surface === "partner" && code === "missing_credentials" ? "signature_required" : code;

const CASES = (["settlement", "partner"] as const).flatMap((surface) =>
  Object.entries(surface === "partner" ? { ...REFUSALS, ...UNSIGNED } : REFUSALS).flatMap(([code, schemes]) =>
    Object.entries(schemes).map(([scheme, make]) => ({ surface, scheme, code, make })),
  ),
);

/** Sends this many requests of a key, and returns their answers and the number of rows in its log. */
async function flood(surface: SurfaceName, key: IssuedApiKey, make: () => RequestParts, settings: Partial<SurfaceSettings> = {}) {
  const surfaceContext = openLoggingSurfaceContext(ctx, { ...TEST_SETTINGS, ...settings });
  const codes = new Set<unknown>();
  const { surface: rules, bindings } = REGISTRY[surface];
  for (let sent = 0; sent < SENT; sent += 1)
    codes.add(readAnswer(await handle(rules, surfaceContext, bindings, rawRequest(make()))).body.code);
  await surfaceContext.apiLog.drain();
  return { codes: [...codes], rows: await database.db.$count(apiRequests, eq(apiRequests.apiKeyId, key.id)) };
}

describe("the budget of the API log", () => {
  it("is tried with every 401 of a known key", () => {
    const all = Object.entries(REFUSAL_STATUS).flatMap(([code, { status }]) => (status === 401 ? [code] : []));
    expect([...new Set(CASES.map(({ code }) => code)), ...NO_KEYS].sort()).toEqual(all.sort());
  });

  it.each(CASES)("holds $code of the $surface surface, signed in the manner of $scheme", async ({ surface, code, make }) => {
    const key = await issueKey(ctx, { signedManagement: true });
    if (code === "revoked_api_key") await revokeApiKey(ctx, { by: SYSTEM, id: key.id });
    const { codes, rows } = await flood(surface, key, () => make(surface, key));
    expect(codes).toContain(answeredAs(surface, code));
    // The nonce belongs to a request that was answered.
    expect(rows).toBe(code === "nonce_reused" ? A_MINUTE + 1 : A_MINUTE);
  });

  it("keeps what comes too fast, besides what was let through, and what comes from an address that the key does not allow", async () => {
    const held = await issueKey(ctx, { allowedIps: ["10.9.9.9"] });
    const elsewhere = await flood("partner", held, () => ({ target: "/partners/current", headers: { apiKey: held.apiKey } }));
    expect(elsewhere).toEqual({ codes: ["ip_not_allowed"], rows: A_MINUTE });
    const key = await issueKey(ctx);
    const hasty = () => ({ target: "/partners/current", headers: { apiKey: key.apiKey } });
    const rateLimits = { writesPerSecond: 1, readsPerSecond: 1 };
    const { codes, rows } = await flood("partner", key, hasty, { rateLimits });
    expect(codes).toContain("rate_limited");
    const through = await database.db.$count(apiRequests, and(eq(apiRequests.apiKeyId, key.id), eq(apiRequests.status, 200)));
    expect(rows).toBe(Math.min(SENT, A_MINUTE + through));
  });
});
