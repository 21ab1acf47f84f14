import { collectingMessage, lockUnplanned, recordPlanned } from "#db/queries/notifications/messages.ts";
import { OUTSIDE, type Outside, ruleOf } from "#domain/notification.ts";
import { describeAt, USUAL_HOURS } from "#domain/notification-hours.ts";
import type { Uses } from "#server/context.ts";

export const PLANNED_AT_ONCE = 200;

type Unplanned = Awaited<ReturnType<typeof lockUnplanned>>[number];

/**
 * Adds new notifications that still need attention to messages: one collecting message per person and channel, due by the person's own
 * hours. Two workers never take the same one. Returns how many were planned.
 */
export async function planMessages(ctx: Uses<"db" | "clock" | "mailer">): Promise<number> {
  const now = ctx.clock.now();
  return await ctx.db.transaction(async (tx) => {
    const unplanned = await lockUnplanned(tx, PLANNED_AT_ONCE);
    // In one order: two workers that reach for the same messages do not wait for each other in a circle.
    const ofEach = Map.groupBy(unplanned, ({ notification }) => notification.userId);
    for (const [userId, theirs] of [...ofEach].toSorted(([left], [right]) => left.localeCompare(right))) {
      const dueAt = describeAt(theirs[0]?.settings ?? USUAL_HOURS, now);
      const wanted = (channel: Outside) => theirs.filter((each) => wants(each, channel, ctx.mailer.available));
      const messages: Partial<Record<Outside, string>> = {};
      for (const channel of OUTSIDE)
        if (wanted(channel).length > 0) messages[channel] = await collectingMessage(tx, { userId, channel, dueAt, now });
      const bySet = Map.groupBy(theirs, (each) => OUTSIDE.map((channel) => wants(each, channel, ctx.mailer.available)).join());
      for (const same of bySet.values()) {
        const idOf = (channel: Outside) =>
          same[0] !== undefined && wants(same[0], channel, ctx.mailer.available) ? (messages[channel] ?? null) : null;
        const ids = same.map(({ notification }) => notification.id);
        await recordPlanned(tx, ids, { mailId: idOf("mail"), webhookId: idOf("webhook") }, now);
      }
    }
    return unplanned.length;
  });
}

function wants({ rule, settings, isSettled, notification }: Unplanned, channel: Outside, hasMail: boolean): boolean {
  if (isSettled || !ruleOf(notification.kind, rule)[channel]) return false;
  return channel === "mail" ? hasMail : settings?.sealedWebhookUrl != null;
}
