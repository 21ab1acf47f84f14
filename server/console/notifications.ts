import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import { fromWire, toWire } from "#contract/wire.ts";
import { NOTIFICATION_KINDS } from "#domain/notification.ts";
import { DIGESTS } from "#domain/notification-hours.ts";
import { personProcedure, router } from "#server/console/trpc/init.ts";
import { countUnread, listNotifications, markRead } from "#server/services/notifications/read-notifications.ts";
import { readWishes, setHours, setRule, setWebhook } from "#server/services/notifications/set-wishes.ts";
import { done } from "./done.ts";

const minute = z.number().int().min(0).max(1_439).nullable();
const hours = fromWire({ digest: z.enum(DIGESTS), quiet_from: minute, quiet_to: minute, zone: plainText(1, 64) });
const rule = z.strictObject({ kind: z.enum(NOTIFICATION_KINDS), console: z.boolean(), mail: z.boolean(), webhook: z.boolean() });

const withoutStepUp = personProcedure.meta({ stepUp: false });

/** A user's notifications, and their settings. */
export const notificationsRouter = router({
  list: personProcedure.query(async ({ ctx: { services, holder } }) => {
    const notices = await listNotifications(services, holder);
    return notices.map((each) => toWire(each, "id", "kind", "text", "page", "at", "isRead", "subject"));
  }),

  unread: personProcedure.query(async ({ ctx: { services, holder } }) => ({ count: await countUnread(services, holder.userId) })),

  /** One, or with null all. */
  markRead: withoutStepUp.input(z.strictObject({ id: z.string().max(64).nullable() })).mutation(({ ctx: { services, holder }, input }) => {
    return done(markRead(services, holder.userId, input.id));
  }),

  wishes: personProcedure.query(async ({ ctx: { services, holder } }) => {
    const { rules, hours: wanted, webhookHost } = await readWishes(services, holder);
    return {
      rules: rules.map((each) => toWire(each, "kind", "console", "mail", "webhook")),
      hours: toWire(wanted, "digest", "quietFrom", "quietTo", "zone"),
      webhook_host: webhookHost,
      /** Whether this installation sends mail at all. */
      mail: services.mailer.available,
      email: holder.email,
    };
  }),

  setRule: withoutStepUp.input(rule).mutation(({ ctx: { services, by }, input: { kind, ...roads } }) => {
    return done(setRule(services, { by, kind, rule: roads }));
  }),

  setHours: withoutStepUp.input(hours).mutation(({ ctx: { services, by }, input }) => done(setHours(services, { by, hours: input }))),

  /** Another external channel needs a step-up. */
  setWebhook: personProcedure
    .input(z.strictObject({ url: z.string().min(1).max(2_048).nullable() }))
    .mutation(({ ctx: { services, by }, input }) => done(setWebhook(services, { by, ...input }))),
});
