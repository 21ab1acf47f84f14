import { enterFollowUp, lockOwedFollowUps } from "#db/queries/notifications/follow-ups.ts";
import { listSubjects } from "#db/queries/notifications/subjects.ts";
import { followUpOf } from "#domain/notification.ts";
import type { Uses } from "#server/context.ts";

const AT_ONCE = 200;

/**
 * A chat that was asked for a decision hears who decided, once: an incoming webhook cannot change what it posted. The line is a notification
 * like others from here on, so that it follows the person's hours and is tried again. Returns whether there may be more.
 */
export async function followUpDecisions(ctx: Uses<"db" | "clock">): Promise<{ more: boolean }> {
  return await ctx.db.transaction(async (tx) => {
    const owed = await lockOwedFollowUps(tx, AT_ONCE);
    const subjects = new Map((await listSubjects(tx, [...new Set(owed.map(({ subjectId }) => subjectId))])).map((each) => [each.id, each]));
    for (const each of owed) {
      const { outcome, by } = subjects.get(each.subjectId) ?? { outcome: "closed", by: null };
      await enterFollowUp(tx, each, followUpOf(outcome, by, each), ctx.clock.now());
    }
    return { more: owed.length >= AT_ONCE };
  });
}
