import { and, desc, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { auditEntries } from "#db/schema/audit-log.ts";

/** Somebody gave a wrong password, or after the right one a wrong code. Business time. */
export type RefusedSignIn = { at: Date; wrong: string; address: string };

const SHOWN = 20;

/** The last ones in a person's name, the newest first. */
export async function listRefusedSignIns(db: Database, userId: string): Promise<RefusedSignIn[]> {
  return await db
    .select({
      at: auditEntries.at,
      wrong: sql<string>`${auditEntries.change} ->> 'wrong'`,
      address: sql<string>`${auditEntries.change} ->> 'address'`,
    })
    .from(auditEntries)
    .where(and(eq(auditEntries.objectId, userId), eq(auditEntries.action, "user.sign_in_refused")))
    .orderBy(desc(auditEntries.id))
    .limit(SHOWN);
}
