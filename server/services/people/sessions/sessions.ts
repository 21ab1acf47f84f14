import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import {
  findSessionHolder,
  listSessionsOf,
  revokeSession,
  type SessionHolder,
  type SessionRecord,
  touchSession,
} from "#db/queries/people/sessions.ts";
import type { ByPerson } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { SESSION_IDLE_MS, sessionHash } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";
import { authenticatePerson, type Credentials } from "./authenticate-person.ts";
import { enterSession } from "./enter-session.ts";

export type OpenSession = Omit<Credentials, "of"> & { userAgent: string | null };

/**
 * Signs an operator's or partner's user in to the console. The returned secret is shown only once and stored hashed.
 *
 * @throws Refusal `rate_limited`, `invalid_credentials`, `one_time_code_required`.
 */
export async function openSession(
  ctx: Uses<"db" | "clock" | "passwords" | "vault" | "passkeys">,
  { userAgent, ...credentials }: OpenSession,
): Promise<{ userId: string; secret: string }> {
  const { user, proof, isKnown } = await authenticatePerson(ctx, { ...credentials, of: "anybody" });
  const now = ctx.clock.now();
  const secret = await ctx.db.transaction((tx) =>
    enterSession(tx, {
      user,
      now,
      // Password and second factor were given just now.
      proof: { at: now, byCode: proof !== null },
      client: { ...credentials, userAgent },
      isKnown,
      change: proof === "passkey" ? { method: proof } : {},
    }),
  );
  return { userId: user.id, secret };
}

export type { SessionHolder } from "#db/queries/people/sessions.ts";

/** How fine "last seen" is: a write per call would be one too many. */
const SEEN_EVERY_MS = 60_000;

/**
 * Whose session it is, with role and partner as they are at this moment; null when it has ended, was idle too long, or its person
 * may no longer sign in. Asked on every call. Real time.
 */
export async function authenticateSession(ctx: Uses<"db" | "clock">, secret: string): Promise<SessionHolder | null> {
  return await enter(ctx, { sidHash: sessionHash(secret) });
}

/** The same of a session that a request has entered, whatever secret it has by now. */
export async function enterAgain(ctx: Uses<"db" | "clock">, sessionId: string): Promise<SessionHolder | null> {
  return await enter(ctx, { id: sessionId });
}

async function enter(ctx: Uses<"db" | "clock">, key: { sidHash: string } | { id: string }): Promise<SessionHolder | null> {
  const now = ctx.clock.now();
  const holder = await findSessionHolder(ctx.db, key, inForceAt(now));
  if (holder === null) return null;
  const stale = new Date(now.getTime() - SEEN_EVERY_MS);
  if (holder.lastSeenAt < stale) await touchSession(ctx.db, holder.sessionId, now, stale);
  return holder;
}

/** A person's present sessions, the one used last first. */
export async function listSessions(ctx: Uses<"db" | "clock">, userId: string): Promise<SessionRecord[]> {
  return await listSessionsOf(ctx.db, userId, inForceAt(ctx.clock.now()));
}

function inForceAt(now: Date): { now: Date; idleSince: Date } {
  return { now, idleSince: new Date(now.getTime() - SESSION_IDLE_MS) };
}

export type EndSession = { by: ByPerson; sessionId: string };

/**
 * Ends one of the person's own sessions. Its next call is refused.
 *
 * @throws Refusal `not_found` for a session that has ended or is somebody else's.
 */
export async function endSession(ctx: Uses<"db" | "clock">, { by, sessionId }: EndSession): Promise<void> {
  if (!isUuid(sessionId)) throw new Refusal("not_found");
  const { userId, partnerId } = by.actor;
  await ctx.db.transaction(async (tx) => {
    if (!(await revokeSession(tx, { id: sessionId, userId }, ctx.clock.now()))) throw new Refusal("not_found");
    const change = { session_id: sessionId };
    await insertAuditEntry(tx, { by, partnerId, action: "user.signed_out", objectId: userId, change });
  });
}

/** Ends the session of that hash at once. Ending what has ended changes nothing. */
export async function signOut(ctx: Uses<"db" | "clock">, sidHash: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const holder = await findSessionHolder(tx, { sidHash }, inForceAt(now));
    if (holder === null) return;
    const { sessionId, userId, role, partnerId } = holder;
    if (!(await revokeSession(tx, { id: sessionId, userId }, now))) return;
    await insertAuditEntry(tx, {
      by: { actor: { type: "user", userId, role, partnerId }, requestId: null },
      partnerId,
      action: "user.signed_out",
      objectId: userId,
      change: { session_id: sessionId },
    });
  });
}
