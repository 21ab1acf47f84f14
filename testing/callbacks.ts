import { randomBytes, randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { callbackSecrets } from "#db/schema/callback-secrets.ts";
import { newId } from "#domain/ids.ts";
import { callbackSecretOf, secretOfKey } from "#domain/sealed-place.ts";
import { NO_TRACER } from "#domain/tracer.ts";
import { createCallbackSender } from "#server/adapters/callbacks/send.ts";
import { createVault } from "#server/adapters/vault.ts";
import { drainDeliveries } from "#server/engines/callbacks/deliver.ts";
import { callbackDuties } from "#server/engines/callbacks/duties.ts";
import { createCallbackEngine, type DeliveryOptions } from "#server/engines/callbacks/engine.ts";
import type { CallbackSender, Log, Vault } from "#server/ports.ts";
import { type EnqueueCallback, enqueueCallback } from "#server/services/callbacks/enqueue-callback.ts";
import { startLoop } from "#server/worker/loop.ts";
import type { TestDatabase } from "./database.ts";
import { mortal } from "./death.ts";
import { addPartner, setClockOffset, type TestPartner } from "./factories.ts";

/** Set-up for tests of callbacks: partners with known secrets, and workers that deliver. */

const vaultKey = randomBytes(32);
export const testVault: Vault = createVault([{ id: "test", key: vaultKey }]);
/** For a process of our own that is to open what {@link testVault} sealed. */
export const TEST_VAULT_KEYS = `test:${vaultKey.toString("base64")}`;
export const localSender: CallbackSender = createCallbackSender({ allowHttp: true, exemptHosts: ["localhost", "127.0.0.1"] });
export const silentLog: Log = { info() {}, warn() {}, error() {}, child: () => silentLog };

export type SigningPartner = TestPartner & { apiSecret: string; callbackSecret: string };

/** A partner with one key and one callback secret, both real. */
export async function addSigningPartner(db: Database): Promise<SigningPartner> {
  const partner = await addPartner(db);
  return { ...partner, ...(await giveSecrets(db, partner)) };
}

/** Real secrets for a partner without any. */
export async function giveSecrets(db: Database, partner: TestPartner): Promise<{ apiSecret: string; callbackSecret: string }> {
  const apiSecret = `sec_test_${randomBytes(24).toString("base64url")}`;
  await db
    .update(apiKeys)
    .set({ sealedSecret: testVault.seal(apiSecret, secretOfKey(partner.apiKeyId)) })
    .where(eq(apiKeys.id, partner.apiKeyId));
  return { apiSecret, callbackSecret: await addCallbackSecret(db, partner.partnerId, null) };
}

/** `expiresAt`: real time. */
export async function addCallbackSecret(db: Database, partnerId: string, expiresAt: Date | null): Promise<string> {
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  const sealedSecret = testVault.seal(secret, callbackSecretOf(partnerId));
  await db.insert(callbackSecrets).values({ id: randomUUID(), partnerId, sealedSecret, createdAt: new Date(), expiresAt });
  return secret;
}

/** Owes a callback about a settlement that need not exist; due now unless said. */
export async function enqueueTestCallback(
  db: Database,
  partner: TestPartner,
  url: string,
  more: Partial<EnqueueCallback> = {},
): Promise<{ id: string; subjectId: string }> {
  const now = more.now ?? (await readBusinessNow(db));
  const subjectId = more.subjectId ?? newId("settlement", now);
  const { partnerId, apiKeyId } = partner;
  const callback = {
    partnerId,
    apiKeyId,
    subjectId,
    event: "settlement.executed",
    url,
    body: '{"status":"executed"}',
    now,
    ...more,
  } as const;
  const id = await db.transaction((tx) => enqueueCallback(tx, callback));
  return { id, subjectId };
}

export type TestWorker = {
  /** Attempts in flight. */
  inFlight(): number;
  stop(): Promise<void>;
};
type DeliveryTest = Partial<DeliveryOptions> & { db?: Database; sender?: CallbackSender; graceMs?: number; pollMs?: number; log?: Log };

/** A worker as the real one runs it: LISTEN, the poll as the net, leases, drain. It dies where `observe` throws. */
export function startDelivery({ db: own, sql }: Pick<TestDatabase, "db" | "sql">, options: DeliveryTest = {}): TestWorker {
  const { db = own, sender = localSender, graceMs = 0, pollMs = 1_000, log = silentLog, observe, ...more } = options;
  const fate = mortal({ db, clock: { now: () => new Date() }, vault: testVault, callbacks: sender, log, tracer: NO_TRACER }, observe);
  const engine = createCallbackEngine(fate.ctx, { brand: "Service", ...more, observe: fate.observe });
  const duties = callbackDuties(engine).map((duty) => ({ ...duty, everyMs: pollMs, drain: () => drainDeliveries(engine, graceMs) }));
  const loop = startLoop({ duties, listen: (...listener) => sql.listen(...listener), log });
  return { inFlight: () => engine.room.inFlight, stop: () => loop.stop() };
}

/** Moves business time so that it is `instant` now, and wakes the workers as the sandbox's control does. */
export async function moveClockTo(db: Database, instant: Date): Promise<void> {
  await setClockOffset(db, instant.getTime() - Date.now());
  await db.execute(sql`select pg_notify('due_work', 'clock')`);
}

/** Polls until the answer is not null or undefined. The limit ends hanging tests, and does not measure speed. */
export async function eventually<T>(ask: () => Promise<T | null | undefined>, limitMs = 60_000): Promise<T> {
  for (const until = Date.now() + limitMs; ; ) {
    const answer = await ask();
    if (answer !== null && answer !== undefined) return answer;
    if (Date.now() > until) throw new Error("it did not come to be");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
