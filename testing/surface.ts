import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { partners } from "#db/schema/partners.ts";
import { SYSTEM } from "#domain/access.ts";
import { NO_AUDIT_KEY } from "#domain/audit-key.ts";
import { openCallbackKeys } from "#domain/callback-key.ts";
import { FIRST_PROVIDER } from "#domain/fiat.ts";
import { newId } from "#domain/ids.ts";
import { NO_LAPSING_SIGNERS } from "#domain/lapsing-signer.ts";
import { openProofKeys } from "#domain/proof.ts";
import { NO_SIGNERS } from "#domain/signer.ts";
import { sign } from "#domain/signing.ts";
import { NO_TRACER } from "#domain/tracer.ts";
import { createFiatProviders } from "#server/adapters/fiat/providers.ts";
import { createPasskeys } from "#server/adapters/passkeys.ts";
import { createPasswords } from "#server/adapters/passwords.ts";
import { createVault } from "#server/adapters/vault.ts";
import type { Context } from "#server/context.ts";
import type { Log } from "#server/ports.ts";
import { collectHeaders, type RawRequest, type RawResponse, splitTarget } from "#server/rest/raw-request.ts";
import { openSurfaceContext, type SurfaceContext, type SurfaceSettings } from "#server/rest/surface-context.ts";
import { type IssueApiKey, type IssuedApiKey, issueApiKey } from "#server/services/access/issue-api-key.ts";
import { processOf } from "./database.ts";
import { testChains } from "./factories.ts";
import { noScreening } from "./screening.ts";

/** Set-up for tests of the surfaces: a surface over a test database, keys that really sign, requests as plain values. */

export const TEST_SETTINGS: SurfaceSettings = {
  baseUrl: "http://localhost:3000",
  brand: "Service",
  mode: "sandbox",
  checksAnswers: true,
  rateLimits: { writesPerSecond: 0, readsPerSecond: 0 },
  trustedProxies: [],
  webDatabaseConnections: 20,
};

/** What the fiat provider signs with in tests. */
export const TEST_RAIL_SECRET = "rail_test_of_the_tests";
export const TEST_PROVIDERS = createFiatProviders({ name: FIRST_PROVIDER, secret: TEST_RAIL_SECRET });

export type LogLine = { level: string; message: string } & Record<string, unknown>;

/** For services that must not need a chain. */
export const NO_CHAINS: Context["evm"] = { list: () => [], find: () => null };

export const NO_LAPSING_CHAINS: Context["lapsing"] = { list: () => [], find: () => null };

/** A context that logs into `lines`. What the tested code must not touch is missing, so that a touch fails. */
export function testContext(db: Context["db"], lines: LogLine[] = []): Context {
  const write = (level: string) => (fields: object, message: string) => void lines.push({ ...fields, level, message });
  const log: Log = { info: write("info"), warn: write("warn"), error: write("error"), child: () => log };
  const unused = () => {
    throw new Error("the test has no such power");
  };
  return {
    mode: "sandbox",
    db,
    clock: { now: () => new Date() },
    vault: createVault([{ id: "test", key: randomBytes(32) }]),
    passwords: createPasswords(),
    passkeys: createPasskeys(TEST_SETTINGS),
    chains: testChains,
    evm: NO_CHAINS,
    signers: { ...NO_SIGNERS, of: unused },
    lapsing: NO_LAPSING_CHAINS,
    lapsingSigners: { ...NO_LAPSING_SIGNERS, of: unused },
    screener: noScreening,
    fiatProviders: TEST_PROVIDERS,
    brokers: { judge: async () => ({ verdict: "allowed" }), open: unused },
    callbacks: { judge: async () => ({ verdict: "allowed" }), send: unused },
    identityProviders: { authorize: unused, redeem: unused, readSignOut: unused },
    mailer: { available: false, send: unused },
    log,
    entryRules: { requireTotpForDeciders: false },
    policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 },
    auditKey: NO_AUDIT_KEY,
    proofs: openProofKeys(TEST_SETTINGS.baseUrl, [{ id: "test", key: randomBytes(32) }]),
    callbackKeys: openCallbackKeys([{ id: "callbacks", key: randomBytes(32) }]),
    meter: { transferMoved: () => {}, settlementExecuted: () => {}, treasuryBalance: () => {}, chainHead: () => {} },
    tracer: NO_TRACER,
    eventBell: { wait: async (_partnerId, ms) => await sleep(Math.min(ms, 20), "rung" as const) },
  };
}

/** As a web process opens it, in its role, except for the database time limit of a request: only tests of that limit should depend on a busy machine. */
export function testSurfaceContext(ctx: Context, settings: Partial<SurfaceSettings> = {}, databaseLimitMs = 60_000): SurfaceContext {
  const own = { ...ctx, db: processOf(ctx.db, "web") };
  return openSurfaceContext(own, { ...TEST_SETTINGS, ...settings }, undefined, databaseLimitMs);
}

/** A key that really signs; with `partnerId` left out, of a new partner. */
export async function issueKey(
  ctx: Context,
  values: Partial<IssueApiKey> = {},
  partner: Partial<typeof partners.$inferInsert> = {},
): Promise<IssuedApiKey> {
  const partnerId = values.partnerId === undefined ? await addPartner(ctx, partner) : values.partnerId;
  return await issueApiKey(ctx.db, ctx, { by: SYSTEM, mode: "test", name: "Test key", ...values, partnerId });
}

async function addPartner(ctx: Context, values: Partial<typeof partners.$inferInsert>): Promise<string> {
  const now = new Date();
  const id = randomUUID();
  const fixed = { id, name: "Test partner", slug: id, roles: ["AGGREGATOR"], status: "active", chargeFeePercentage: "0" } as const;
  await ctx.db.insert(partners).values({ ...fixed, roles: ["AGGREGATOR"], createdAt: now, updatedAt: now, ...values });
  return id;
}

export type RequestParts = {
  method?: string;
  target?: string;
  body?: string | Uint8Array;
  /** Over what the request would have; null takes a header away. */
  headers?: Record<string, string | readonly string[] | null>;
  remoteAddress?: string;
  /** Ends with the client's connection. */
  connection?: AbortSignal;
};

/** A request as the front door would hand it over. */
export function rawRequest({
  method = "GET",
  target = "/",
  body = "",
  headers = {},
  remoteAddress = "127.0.0.1",
  connection,
}: RequestParts): RawRequest {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const pairs = Object.entries(headers).flatMap(([name, values]) => [values ?? []].flat().flatMap((value) => [name, value]));
  return {
    requestId: newId("request", new Date()),
    method,
    ...splitTarget(target),
    headers: collectHeaders(pairs),
    remoteAddress,
    arrivedAt: performance.now(),
    readBody: async (limit) => (bytes.length > limit ? "too_large" : bytes),
    whenGone: (then) => connection?.addEventListener("abort", then),
  };
}

/** The same, signed by the key. Header overrides come after the signing. */
export function signedRequest(
  key: { apiKey: string; apiSecret: string },
  parts: RequestParts & { timestamp?: string; nonce?: string },
): RawRequest {
  const headers = { Authorization: key.apiKey, "Content-Type": "application/json", ...signatureOf(key.apiSecret, parts), ...parts.headers };
  return rawRequest({ ...parts, headers });
}

/** The three headers that sign it. */
export function signatureOf(apiSecret: string, parts: RequestParts & { timestamp?: string; nonce?: string }): Record<string, string> {
  const { method = "GET", target = "/", body = "" } = parts;
  const timestamp = parts.timestamp ?? String(Math.floor(Date.now() / 1_000));
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return {
    "X-Service-Timestamp": timestamp,
    "X-Service-Nonce": parts.nonce ?? randomUUID(),
    "X-Service-Signature": sign(apiSecret, { timestamp, method, ...splitTarget(target), body: bytes }),
  };
}

/** The answer with its body read. */
export function readAnswer(response: RawResponse): { status: number; headers: Record<string, string>; body: Record<string, unknown> } {
  return { ...response, body: response.body ? JSON.parse(response.body) : {} };
}
