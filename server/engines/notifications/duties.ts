import { randomUUID } from "node:crypto";
import { type ClaimedMessage, claimMessages } from "#db/queries/notifications/messages.ts";
import { OUTSIDE, type Outside } from "#domain/notification.ts";
import type { Uses } from "#server/context.ts";
import type { Duty } from "#server/engines/duty.ts";
import { escalateOverdue } from "#server/services/notifications/escalate-overdue.ts";
import { findFacts } from "#server/services/notifications/find-facts.ts";
import { followUpDecisions } from "#server/services/notifications/follow-up.ts";
import { PLANNED_AT_ONCE, planMessages } from "#server/services/notifications/plan-messages.ts";
import { endDecided, forgetDelivered } from "#server/services/notifications/read-notifications.ts";
import { type Operator, sendMessage } from "#server/services/notifications/send-message.ts";
import { mailInvitation } from "#server/services/people/invitations/hand-over-invitation.ts";

type Powers = Uses<"db" | "clock" | "mailer" | "callbacks" | "vault" | "log" | "policy">;

/** How many tries of a channel run at once in one worker, one per person: a hanging receiver occupies a slot only for its own deadline. */
const ROOM = 8;
const GRACE_MS = 2_000;

/** Finds facts to notify, plans messages, and sends them, each channel independently. */
export function notificationDuties(ctx: Powers, operator: Operator): Duty[] {
  return [
    {
      name: "notifications",
      everyMs: 2_000,
      async run() {
        await findFacts(ctx, "urgent");
        const more = [await endDecided(ctx), await followUpDecisions(ctx)].some((each) => each.more);
        return (await planMessages(ctx)) < PLANNED_AT_ONCE && !more ? "idle" : "busy";
      },
    },
    { name: "slow_notifications", everyMs: 10_000, run: async () => ((await findFacts(ctx, "slow")) > 0 ? "busy" : "idle") },
    { name: "escalations", everyMs: 5_000, run: async () => ((await escalateOverdue(ctx)) > 0 ? "busy" : "idle") },
    { name: "invitation_mails", everyMs: 2_000, run: async () => ((await mailInvitation(ctx, operator)) ? "busy" : "idle") },
    { name: "forgetting_notifications", everyMs: 600_000, run: async () => ((await forgetDelivered(ctx)).more ? "busy" : "idle") },
    ...OUTSIDE.map((channel) => sendingDuty(ctx, operator, channel)),
  ];
}

/** A round begins due messages up to the capacity, and waits for none of them. */
export function sendingDuty(ctx: Powers, operator: Operator, channel: Outside): Duty {
  const running = new Map<string, Promise<void>>();
  const callOff = new AbortController();
  const begin = (message: ClaimedMessage) => {
    const work = sendMessage(ctx, operator, message, callOff.signal)
      .catch((err: unknown) => ctx.log.error({ err, message_id: message.id }, "a notification failed unexpectedly"))
      .finally(() => running.delete(message.userId));
    running.set(message.userId, work);
  };
  return {
    name: `notifications_by_${channel}`,
    everyMs: 2_000,
    async run() {
      const limit = ROOM - running.size;
      if (limit <= 0) return "idle";
      const now = ctx.clock.now();
      const claimed = await claimMessages(ctx.db, { channel, token: randomUUID(), limit, now, but: [...running.keys()] });
      for (const message of claimed) begin(message);
      return "idle";
    },
    async drain() {
      const ended = Promise.allSettled(running.values());
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, GRACE_MS))]);
      // Another worker retries an aborted one once its lease has expired.
      callOff.abort();
    },
  };
}
