import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { directoryGroups, directoryUsers } from "#db/schema/identity-providers.ts";

const isSubject = (providerId: string, subject: string) =>
  and(eq(directoryUsers.providerId, providerId), eq(directoryUsers.externalId, subject));

/** Whether the directory knows the subject as one who is no longer active. */
export async function isShutOutByDirectory(db: Database, providerId: string, subject: string): Promise<boolean> {
  const rows = await db
    .select({ id: directoryUsers.id })
    .from(directoryUsers)
    .where(and(isSubject(providerId, subject), eq(directoryUsers.active, false)));
  return rows.length > 0;
}

/** The names of the subject's groups in the directory. */
export async function groupsOfSubject(db: Database, providerId: string, subject: string): Promise<string[]> {
  const rows = await db
    .select({ name: directoryGroups.displayName })
    .from(directoryGroups)
    .innerJoin(directoryUsers, sql`${directoryGroups.members} @> to_jsonb(${directoryUsers.id}::text)`)
    .where(and(eq(directoryGroups.providerId, providerId), isSubject(providerId, subject)));
  return rows.map(({ name }) => name);
}
