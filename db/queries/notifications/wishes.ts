import { eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { notificationRules, notificationSettings } from "#db/schema/notifications.ts";
import type { NotificationKind, Rule } from "#domain/notification.ts";

export type SettingsRecord = typeof notificationSettings.$inferSelect;

export async function listRules(db: Database, userId: string): Promise<(typeof notificationRules.$inferSelect)[]> {
  return await db.select().from(notificationRules).where(eq(notificationRules.userId, userId));
}

export async function findSettings(db: Database, userId: string): Promise<SettingsRecord | null> {
  const [row] = await db.select().from(notificationSettings).where(eq(notificationSettings.userId, userId));
  return row ?? null;
}

/** From now on: earlier notifications are never sent through a channel that was off. */
export async function saveRule(db: Database, key: { userId: string; kind: NotificationKind }, rule: Rule): Promise<void> {
  const since = sql`business_now()`;
  await db
    .insert(notificationRules)
    .values({ ...key, ...rule, since })
    .onConflictDoUpdate({ target: [notificationRules.userId, notificationRules.kind], set: { ...rule, since } });
}

export async function saveSettings(db: Database, { userId, ...settings }: SettingsRecord): Promise<void> {
  await db
    .insert(notificationSettings)
    .values({ userId, ...settings })
    .onConflictDoUpdate({ target: notificationSettings.userId, set: settings });
}
