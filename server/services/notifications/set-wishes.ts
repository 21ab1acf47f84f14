import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findSettings, listRules, type SettingsRecord, saveRule, saveSettings } from "#db/queries/notifications/wishes.ts";
import { findUser, listPeople } from "#db/queries/people/users.ts";
import { type ByPerson, mayAsOperator, refuseUnlessOperator, type UserRole } from "#domain/access.ts";
import { isFixed, mayNotify, NOTIFICATION_KINDS, type NotificationKind, type Rule, ruleOf } from "#domain/notification.ts";
import { type Hours, isZone, USUAL_HOURS } from "#domain/notification-hours.ts";
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
    await saveSettings(tx, { ...(before ?? unset(userId)), ...hours });
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
    const webhookHost = url === null ? null : new URL(url).host;
    const sealedWebhookUrl = url === null ? null : ctx.vault.seal(url, webhookOf(userId));
    const before = await findSettings(tx, userId);
    await saveSettings(tx, { ...(before ?? unset(userId)), sealedWebhookUrl, webhookHost });
    await insertAuditEntry(tx, {
      by,
      partnerId,
      action: "user.notifications_webhook_set",
      objectId: userId,
      change: { host: webhookHost },
    });
  });
}

/** Settings before a person chose any. */
function unset(userId: string): SettingsRecord {
  return { userId, sealedWebhookUrl: null, webhookHost: null, awayUntil: null, substituteId: null, ...USUAL_HOURS };
}

/** Nobody chooses from more. */
const MOST_SUBSTITUTES = 200;
/** The longest absence; a person who is away longer sets it again. */
const LONGEST_ABSENCE_MS = 90 * 86_400_000;

export type Absence = { until: Date; substituteId: string };
/** A person who may be the substitute of an operator, by name. */
export type Substitute = { id: string; name: string };

/** A person's absence, unless it is over, and who could be the substitute. For operators only. */
export async function readAbsence(
  ctx: Uses<"db" | "clock">,
  { userId }: { userId: string },
): Promise<{ absence: Absence | null; substitutes: Substitute[] }> {
  const settings = await findSettings(ctx.db, userId);
  const { awayUntil, substituteId } = settings ?? { awayUntil: null, substituteId: null };
  const isAway = awayUntil !== null && substituteId !== null && awayUntil > ctx.clock.now();
  const people = await listPeople(ctx.db, { of: "operator", text: null }, MOST_SUBSTITUTES);
  return {
    absence: isAway ? { until: awayUntil, substituteId } : null,
    substitutes: people.filter((person) => maySubstitute(person, userId)).map(({ id, name }) => ({ id, name })),
  };
}

/**
 * While an operator is away, another one is asked for the decisions as well, by that one's own channels. It gives nobody a right: the
 * substitute may decide already. Null ends the absence.
 *
 * @throws Refusal `validation_failed` for a time that has passed or is more than 90 days ahead, and for somebody who may not decide.
 */
export async function setAbsence(ctx: Uses<"db" | "clock">, { by, absence }: { by: ByPerson; absence: Absence | null }): Promise<void> {
  const { userId } = by.actor;
  refuseUnlessOperator(by.actor, "decide_settlement");
  const ahead = absence === null ? 1 : absence.until.getTime() - ctx.clock.now().getTime();
  if (ahead <= 0 || ahead > LONGEST_ABSENCE_MS) throw invalid("/until", "must be within the next 90 days");
  await ctx.db.transaction(async (tx) => {
    const substitute = absence && (await findUser(tx, absence.substituteId));
    if (absence !== null && (substitute === null || !maySubstitute(substitute, userId))) throw invalid("/substitute_id", "may not decide");
    const before = await findSettings(tx, userId);
    const change = { awayUntil: absence?.until ?? null, substituteId: absence?.substituteId ?? null };
    await saveSettings(tx, { ...(before ?? unset(userId)), ...change });
    await insertAuditEntry(tx, {
      by,
      partnerId: null,
      action: absence === null ? "user.absence_ended" : "user.absence_set",
      objectId: userId,
      change: absence === null ? {} : { until: absence.until.toISOString(), substitute: absence.substituteId },
    });
  });
}

type Colleague = { id: string; role: UserRole; partnerId: string | null; disabledAt: Date | null };

function maySubstitute({ id, role, partnerId, disabledAt }: Colleague, userId: string): boolean {
  return id !== userId && disabledAt === null && mayAsOperator({ type: "user", userId: id, role, partnerId }, "decide_settlement");
}

function invalid(pointer: string, message: string): Refusal {
  return new Refusal("validation_failed", { errors: [{ pointer, code: "invalid", message }] });
}
