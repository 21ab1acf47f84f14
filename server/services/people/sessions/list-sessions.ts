import { listSessionsOf, type SessionRecord } from "#db/queries/people/sessions.ts";
import { SESSION_IDLE_MS } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";

/** Where a person is signed in just now, the session used last first. */
export async function listSessions(ctx: Uses<"db" | "clock">, userId: string): Promise<SessionRecord[]> {
  const now = ctx.clock.now();
  return await listSessionsOf(ctx.db, userId, { now, idleSince: new Date(now.getTime() - SESSION_IDLE_MS) });
}
