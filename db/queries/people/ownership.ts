import { and, desc, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { auditEntries } from "#db/schema/audit-log.ts";
import { users } from "#db/schema/people.ts";

/** When a person got the present role, by the audit log: with a change of role, or when they joined. Null: no person has that id. */
export async function findRoleSince(db: Database, userId: string): Promise<Date | null> {
  const [person] = await db.select({ createdAt: users.createdAt }).from(users).where(eq(users.id, userId));
  if (person === undefined) return null;
  const [changed] = await db
    .select({ at: auditEntries.at })
    .from(auditEntries)
    .where(and(eq(auditEntries.objectId, userId), sql`${auditEntries.action} = 'user.role_changed'`))
    .orderBy(desc(auditEntries.id))
    .limit(1);
  return changed?.at ?? person.createdAt;
}
