import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findSettings, listRules, saveRule, saveSettings } from "#db/queries/notifications/wishes.ts";
import type { ByPerson, UserRole } from "#domain/access.ts";
import {
  type Hours,
  isFixed,
  isZone,
  mayNotify,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type Rule,
  ruleOf,
  USUAL_HOURS,
} from "#domain/notification.ts";
import { Refusal } from "#domain/refusal.ts";
import { webhookOf } from "#domain/sealed-place.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";

export type Wishes = { rules: ({ kind: NotificationKind } & Rule)[]; hours: Hours; webhookHost: string | null };

/** A person's channels for each kind of notification that their role may get. */
export async function readWishes(ctx: Uses<"db">, { userId, role }: { userId: string; role: UserRole }): Promise<Wishes> {
  const [kept, settings] = [await listRules(ctx.db, userId), await findSettings(ctx.db, userId)];
  const rules = NOTIFICATION_KINDS.filter((kind) => mayNotify(role, kind) && !isFixed(kind)).map((kind) => {
    const rule = ruleOf(
      kind,
      kept.find((each) => each.kind === kind),
    );
    return { kind, console: rule.console, mail: rule.mail, webhook: rule.webhook };
  });
  const { digest, quietFrom, quietTo, zone } = settings ?? USUAL_HOURS;
  return { rules, hours: { digest, quietFrom, quietTo, zone }, webhookHost: settings?.webhookHost ?? null };
}

/** Changes the channels. @throws Refusal `forbidden` for a kind that the role does not get. */
export async function setRule(ctx: Uses<"db">, { by, kind, rule }: { by: ByPerson; kind: NotificationKind; rule: Rule }): Promise<void> {
  const { userId, role, partnerId } = by.actor;
  if (!mayNotify(role, kind)) throw new Refusal("forbidden", { detail: "Your role does not receive these notifications." });
  if (isFixed(kind))
    throw new Refusal("forbidden", { detail: "Sign-ins from new places, and what happens to your account or keys, are always notified." });
  await ctx.db.transaction(async (tx) => {
    await saveRule(tx, { userId, kind }, rule);
    await insertAuditEntry(tx, { by, partnerId, action: "user.notifications_set", objectId: userId, change: { kind, ...rule } });
  });
}

/** Changes the hours. @throws Refusal `validation_failed` for an unknown time zone. */
export async function setHours(ctx: Uses<"db">, { by, hours }: { by: ByPerson; hours: Hours }): Promise<void> {
  if (!isZone(hours.zone)) throw invalid("/zone", "is no time zone");
  const { userId } = by.actor;
  await ctx.db.transaction(async (tx) => {
    const before = await findSettings(tx, userId);
    await saveSettings(tx, { userId, sealedWebhookUrl: null, webhookHost: null, ...before, ...hours });
  });
}

/**
 * The URL of a person's webhook; null: none. It must be allowed for callbacks, and is stored encrypted: anyone who knows it can post there.
 *
 * @throws Refusal `step_up_required`, `validation_failed` for an address that is not allowed.
 */
export async function setWebhook(
  ctx: Uses<"db" | "clock" | "vault" | "callbacks">,
  { by, url }: { by: ByPerson; url: string | null },
): Promise<void> {
  refuseUnlessProven(by, ctx.clock.now());
  if (url !== null) {
    const judged = await ctx.callbacks.judge(url);
    if (judged.verdict !== "allowed") throw invalid("/url", judged.reason);
  }
  const { userId, partnerId } = by.actor;
  await ctx.db.transaction(async (tx) => {
    const { digest, quietFrom, quietTo, zone } = (await findSettings(tx, userId)) ?? USUAL_HOURS;
    const webhookHost = url === null ? null : new URL(url).host;
    const sealedWebhookUrl = url === null ? null : ctx.vault.seal(url, webhookOf(userId));
    await saveSettings(tx, { userId, sealedWebhookUrl, webhookHost, digest, quietFrom, quietTo, zone });
    await insertAuditEntry(tx, {
      by,
      partnerId,
      action: "user.notifications_webhook_set",
      objectId: userId,
      change: { host: webhookHost },
    });
  });
}

function invalid(pointer: string, message: string): Refusal {
  return new Refusal("validation_failed", { errors: [{ pointer, code: "invalid", message }] });
}
