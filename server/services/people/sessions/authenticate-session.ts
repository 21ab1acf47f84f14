import { findSessionHolder, type SessionHolder, touchSession } from "#db/queries/people/sessions.ts";
import { SESSION_IDLE_MS, sessionHash } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";

export type { SessionHolder } from "#db/queries/people/sessions.ts";

/** How fine "last seen" is: a write per call would be one too many. */
const SEEN_EVERY_MS = 60_000;

/**
 * Whose session it is, with role and partner as they are at this moment; null when it has ended, was idle too long, or its person
 * may no longer sign in. Asked on every call. Real time.
 */
export async function authenticateSession(ctx: Uses<"db" | "clock">, secret: string): Promise<SessionHolder | null> {
  const now = ctx.clock.now();
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  const holder = await findSessionHolder(ctx.db, sessionHash(secret), { now, idleSince });
  if (holder === null) return null;
  const stale = new Date(now.getTime() - SEEN_EVERY_MS);
  if (holder.lastSeenAt < stale) await touchSession(ctx.db, holder.sessionId, now, stale);
  return holder;
}
