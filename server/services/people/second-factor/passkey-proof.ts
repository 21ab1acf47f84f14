import type { Database } from "#db/client.ts";
import {
  type ChallengeRecord,
  findChallenge,
  insertChallenge,
  listPasskeys,
  recordUse,
  takeChallenge,
} from "#db/queries/people/passkeys.ts";
import { findUser } from "#db/queries/people/users.ts";
import { CHALLENGE_LIFETIME_MS, newTicket, type PasskeyOptions, ticketHash } from "#domain/passkey.ts";
import { Refusal } from "#domain/refusal.ts";
import { challengeOf, type Decision, type DecisionSignature, type SignatureParts, writeRecord } from "#domain/signed-decision.ts";
import type { Uses } from "#server/context.ts";

/** The browser's input for its device, and the ticket to return with the answer. */
export type AskedOfDevice = { ticket: string; options: PasskeyOptions };
/** The ticket, and what the device has answered: anything at all until it is read. */
export type DeviceAnswer = { ticket: string; answer: unknown };
/** What a challenge is for: one person, one session, one purpose. */
export type Purpose = Pick<ChallengeRecord, "userId" | "purpose"> & { sessionId: string | null };

/** Stores the challenge. Returns the ticket, which works once, for two minutes of real time. */
export async function keepChallenge(db: Database, purpose: Purpose & { record?: string }, challenge: string, now: Date): Promise<string> {
  const ticket = newTicket();
  const expiresAt = new Date(now.getTime() + CHALLENGE_LIFETIME_MS);
  await insertChallenge(db, { ...purpose, ticketHash: ticketHash(ticket), challenge, createdAt: now, expiresAt });
  return ticket;
}

/**
 * Creates a challenge for one of the person's passkeys, valid only for that session.
 *
 * @throws Refusal `invalid_state` without a passkey.
 */
export async function askPasskey(ctx: Uses<"db" | "clock" | "passkeys">, purpose: Purpose): Promise<AskedOfDevice> {
  const known = await listPasskeys(ctx.db, purpose.userId);
  if (known.length === 0) throw new Refusal("invalid_state", { detail: "You have no passkey." });
  const options = await ctx.passkeys.askProof(known, null);
  return { options, ticket: await keepChallenge(ctx.db, purpose, options.challenge, ctx.clock.now()) };
}

/**
 * The passkey challenge of a sign-in whose password was right, identified by its ticket, and whether an authenticator code would do too.
 * Reading uses nothing up.
 *
 * @throws Refusal `invalid_credentials` for an invalid or used ticket.
 */
export async function readAskedSignIn(
  ctx: Uses<"db" | "clock" | "passkeys">,
  ticket: string,
): Promise<{ options: PasskeyOptions; hasTotp: boolean }> {
  const found = await findChallenge(ctx.db, { ticketHash: ticketHash(ticket), purpose: "sign_in", now: ctx.clock.now() });
  const user = found === null ? null : await findUser(ctx.db, found.userId);
  if (found === null || user === null || user.disabledAt !== null) throw new Refusal("invalid_credentials");
  const known = await listPasskeys(ctx.db, found.userId);
  return { options: await ctx.passkeys.askProof(known, found.challenge), hasTotp: user.hasTotp };
}

/**
 * Whether the answer comes from one of the person's devices and matches the challenge of this purpose and session. Right or wrong, it uses
 * up the challenge. It also advances the device's counter: of two concurrent answers, one wins. Real time.
 */
export async function provePasskey(
  ctx: Uses<"db" | "clock" | "passkeys">,
  purpose: Purpose,
  { ticket, answer }: DeviceAnswer,
): Promise<boolean> {
  return (await proveChallenge(ctx, purpose, { ticket, answer })) !== null;
}

async function proveChallenge(
  ctx: Uses<"db" | "clock" | "passkeys">,
  purpose: Purpose,
  { ticket, answer }: DeviceAnswer,
): Promise<{ parts: SignatureParts; record: string | null } | null> {
  const now = ctx.clock.now();
  const taken = await takeChallenge(ctx.db, { ...purpose, ticketHash: ticketHash(ticket), now });
  if (taken === null) return null;
  const parts = ctx.passkeys.partsOf(answer);
  const key = (await listPasskeys(ctx.db, purpose.userId)).find(({ credentialId }) => credentialId === parts?.credentialId);
  if (key === undefined || parts === null) return null;
  const use = await ctx.passkeys.readProof(answer, taken.challenge, key);
  return use !== null && (await recordUse(ctx.db, key, { ...use, at: now })) ? { parts, record: taken.record } : null;
}

/** A person in a session, who decides. */
export type DecidingPerson = { userId: string; sessionId: string };
/** The text that is shown and signed, with the browser's input for the device. */
export type AskedSignature = AskedOfDevice & { record: string };

/**
 * Asks a person to sign a decision: the challenge is the hash of its record. It works once, for two minutes, in that session.
 *
 * @throws Refusal `passkey_required` without a passkey.
 */
export async function askSignature(
  ctx: Uses<"db" | "clock" | "passkeys">,
  { userId, sessionId }: DecidingPerson,
  { decision, origin }: { decision: Decision; origin: string },
): Promise<AskedSignature> {
  const known = await listPasskeys(ctx.db, userId);
  if (known.length === 0) throw noPasskey();
  const now = ctx.clock.now();
  const record = writeRecord(decision, { person: userId, origin, at: now, nonce: newTicket() });
  const challenge = challengeOf(record);
  const options = await ctx.passkeys.askProof(known, challenge);
  return { record, options, ticket: await keepChallenge(ctx.db, { userId, sessionId, purpose: "decide", record }, challenge, now) };
}

function noPasskey(): Refusal {
  return new Refusal("passkey_required", { detail: "A passkey must sign this decision, and you have none. Add one under Account." });
}

/**
 * What the person's device has signed. Right or wrong, it uses up the challenge.
 *
 * @throws Refusal `passkey_required` when the answer is not of this person's device, session and record, or comes late or again.
 */
export async function readSignature(
  ctx: Uses<"db" | "clock" | "passkeys">,
  { userId, sessionId }: DecidingPerson,
  device: DeviceAnswer,
): Promise<DecisionSignature> {
  const proven = await proveChallenge(ctx, { userId, sessionId, purpose: "decide" }, device);
  if (proven === null || proven.record === null)
    throw new Refusal("passkey_required", { detail: "The passkey was not accepted. It is not one of yours, or it signed something else." });
  return { ...proven.parts, record: proven.record, userId };
}
