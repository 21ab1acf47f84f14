import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { SecurityNotice } from "#domain/security-notice.ts";

type About = { action: string; objectId: string; partnerId: string | null; at: Date };

/**
 * In the transaction of the action itself: to the person whom it is about or, about keys, to the partner's owners or the operator's
 * admins; about a released payment, to the admins. Nobody can turn these off, not even a thief of the account.
 */
export async function enterSecurityNotice(tx: Database, notice: SecurityNotice, about: About): Promise<void> {
  const { kind, sentence } = notice;
  const { action, objectId, partnerId, at } = about;
  const isAbout =
    kind === "account_changed"
      ? sql`u.id = ${objectId}`
      : partnerId === null || kind === "hold_released"
        ? sql`u.partner_id is null and u.role = 'admin'`
        : sql`u.partner_id = ${partnerId} and u.role = 'owner'`;
  await tx.execute(sql`
    insert into notifications (user_id, partner_id, kind, fact, subject_id, detail, at, in_console, created_at)
    select u.id, u.partner_id, ${kind}, ${`${action} ${randomUUID()}`}, ${objectId}, left(${sentence}, 200), ${at.toISOString()}::timestamptz, true, now()
    from users u where ${isAbout} and u.disabled_at is null`);
}
