import { and, asc, eq, inArray, ne, or, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { directoryGroups, directoryUsers } from "#db/schema/identity-providers.ts";

const isSubject = (providerId: string, subject: string) =>
  and(eq(directoryUsers.providerId, providerId), eq(directoryUsers.externalId, subject));

/** Whether the directory knows the subject as one who is no longer active. A change of that waits for the caller's transaction. */
export async function isShutOutByDirectory(db: Database, providerId: string, subject: string): Promise<boolean> {
  const [row] = await db.select().from(directoryUsers).where(isSubject(providerId, subject)).for("share");
  return row?.active === false;
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

export type DirectoryUser = typeof directoryUsers.$inferSelect;
export type DirectoryGroup = typeof directoryGroups.$inferSelect;
type Page = { skip: number; limit: number };

/** `by`: an attribute in lower case. */
type Sought = { attribute: string; value: string } | null;

export async function listDirectoryUsers(db: Database, providerId: string, by: Sought, { skip, limit }: Page) {
  const column = { externalid: directoryUsers.externalId, id: sql`${directoryUsers.id}::text` };
  const where =
    by === null
      ? undefined
      : by.attribute === "username"
        ? sql`lower(${directoryUsers.userName}) = lower(${by.value})`
        : by.attribute === "externalid" || by.attribute === "id"
          ? sql`${column[by.attribute]} = ${by.value}`
          : sql`false`;
  const all = and(eq(directoryUsers.providerId, providerId), where);
  const items = await db.select().from(directoryUsers).where(all).orderBy(asc(directoryUsers.id)).offset(skip).limit(limit);
  return { items, total: await db.$count(directoryUsers, all) };
}

export async function listDirectoryGroups(db: Database, providerId: string, by: Sought, { skip, limit }: Page) {
  const column = {
    externalid: directoryGroups.externalId,
    id: sql`${directoryGroups.id}::text`,
    displayname: directoryGroups.displayName,
  };
  const isKnown = by !== null && (by.attribute === "externalid" || by.attribute === "id" || by.attribute === "displayname");
  const where = by === null ? undefined : isKnown ? sql`${column[by.attribute as keyof typeof column]} = ${by.value}` : sql`false`;
  const all = and(eq(directoryGroups.providerId, providerId), where);
  const items = await db.select().from(directoryGroups).where(all).orderBy(asc(directoryGroups.id)).offset(skip).limit(limit);
  return { items, total: await db.$count(directoryGroups, all) };
}

/** Answers false, and adds nothing, when its name or subject is taken. */
export async function insertDirectoryUser(db: Database, user: typeof directoryUsers.$inferInsert): Promise<boolean> {
  return (await db.insert(directoryUsers).values(user).onConflictDoNothing()).count > 0;
}

export async function insertDirectoryGroup(db: Database, group: typeof directoryGroups.$inferInsert): Promise<boolean> {
  return (await db.insert(directoryGroups).values(group).onConflictDoNothing()).count > 0;
}

export async function lockDirectoryUser(db: Database, key: { id: string; providerId: string }): Promise<DirectoryUser | null> {
  const own = and(eq(directoryUsers.id, key.id), eq(directoryUsers.providerId, key.providerId));
  const [row] = await db.select().from(directoryUsers).where(own).for("update");
  return row ?? null;
}

export async function lockDirectoryGroup(db: Database, key: { id: string; providerId: string }): Promise<DirectoryGroup | null> {
  const own = and(eq(directoryGroups.id, key.id), eq(directoryGroups.providerId, key.providerId));
  const [row] = await db.select().from(directoryGroups).where(own).for("update");
  return row ?? null;
}

/** Whether another user of the directory has that name or subject. */
export async function isDirectoryUserTaken(
  db: Database,
  { id, providerId, userName, externalId }: { id: string; providerId: string; userName: string; externalId: string | null },
): Promise<boolean> {
  const same = or(
    sql`lower(${directoryUsers.userName}) = lower(${userName})`,
    externalId === null ? undefined : eq(directoryUsers.externalId, externalId),
  );
  return (await db.$count(directoryUsers, and(eq(directoryUsers.providerId, providerId), ne(directoryUsers.id, id), same))) > 0;
}

export async function isDirectoryGroupTaken(
  db: Database,
  { id, providerId, displayName }: { id: string; providerId: string; displayName: string },
): Promise<boolean> {
  const same = and(eq(directoryGroups.providerId, providerId), ne(directoryGroups.id, id), eq(directoryGroups.displayName, displayName));
  return (await db.$count(directoryGroups, same)) > 0;
}

export async function updateDirectoryUser(db: Database, id: string, change: Partial<DirectoryUser>): Promise<void> {
  await db.update(directoryUsers).set(change).where(eq(directoryUsers.id, id));
}

export async function updateDirectoryGroup(db: Database, id: string, change: Partial<DirectoryGroup>): Promise<void> {
  await db.update(directoryGroups).set(change).where(eq(directoryGroups.id, id));
}

/** Deletes a user, and its place in the directory's groups. */
export async function deleteDirectoryUser(db: Database, { id, providerId }: { id: string; providerId: string }): Promise<void> {
  await db
    .update(directoryGroups)
    .set({ members: sql`${directoryGroups.members} - ${id}::text` })
    .where(and(eq(directoryGroups.providerId, providerId), sql`${directoryGroups.members} @> to_jsonb(${id}::text)`));
  await db.delete(directoryUsers).where(eq(directoryUsers.id, id));
}

export async function deleteDirectoryGroup(db: Database, id: string): Promise<void> {
  await db.delete(directoryGroups).where(eq(directoryGroups.id, id));
}

/** Which of these are users of the directory. */
export async function knownMembers(db: Database, providerId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: directoryUsers.id })
    .from(directoryUsers)
    .where(and(eq(directoryUsers.providerId, providerId), inArray(directoryUsers.id, [...ids])));
  return rows.map(({ id }) => id);
}
