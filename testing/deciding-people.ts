import { randomUUID } from "node:crypto";
import type { Database } from "#db/client.ts";
import { insertSession } from "#db/queries/people/sessions.ts";
import type { Decision, DecisionSignature } from "#domain/signed-decision.ts";
import { createPasskeys } from "#server/adapters/passkeys.ts";
import { askSignature, readSignature } from "#server/services/people/second-factor/passkey-proof.ts";
import { addPasskey, beginPasskey } from "#server/services/people/second-factor/passkeys.ts";
import { Authenticator, type Lies } from "./authenticator.ts";
import { addProvenPerson, type TestPerson } from "./people.ts";

/** Set-up for tests about signed decisions: admins with a session and a device. */

export const ORIGIN = "http://localhost:3000";
export const passkeys = createPasskeys({ baseUrl: ORIGIN, brand: "Service" });

export type DecidingPerson = TestPerson & { sessionId: string; device: Authenticator };

/** An admin who is signed in and has registered a passkey. */
export async function addDecidingPerson(db: Database): Promise<DecidingPerson> {
  const person = await addProvenPerson(db, "admin");
  const [sessionId, now] = [randomUUID(), new Date()];
  const times = { createdAt: now, lastSeenAt: now, expiresAt: new Date(now.getTime() + 3_600_000) };
  await insertSession(db, { id: sessionId, sidHash: sessionId, userId: person.id, address: "::1", ...times });
  const device = new Authenticator(ORIGIN);
  const ctx = powersAt(db, () => new Date());
  const { ticket, options } = await beginPasskey(ctx, { by: person.by, sessionId });
  await addPasskey(ctx, { by: person.by, sessionId, ticket, name: "Laptop", answer: device.create(options) });
  return { ...person, sessionId, device };
}

/** What the person's device signs when it is asked at that time. */
export async function signDecision(
  db: Database,
  { id: userId, sessionId, device }: DecidingPerson,
  decision: Decision,
  { lies = {}, now = () => new Date() }: { lies?: Lies; now?: () => Date } = {},
): Promise<DecisionSignature> {
  const ctx = powersAt(db, now);
  const { ticket, options } = await askSignature(ctx, { userId, sessionId }, { decision, origin: ORIGIN });
  return await readSignature(ctx, { userId, sessionId }, { ticket, answer: device.get(options, lies) });
}

const powersAt = (db: Database, now: () => Date) => ({
  db,
  passkeys,
  clock: { now },
  mode: "sandbox" as const,
  policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 },
});
