import { and, count, desc, eq } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { members } from "#db/schema/members.ts";
import { contains, type Page, type PageRequest } from "#db/search.ts";
import type { Member } from "#domain/member.ts";
import { isUuid } from "#domain/uuid.ts";

/** Answers false, and adds nothing, when the partner has a member of that reference or phone. */
export async function insertMember(db: Database, member: Member): Promise<boolean> {
  const rows = await db.insert(members).values(member).onConflictDoNothing().returning({ id: members.id });
  return rows.length > 0;
}

/** The partner's member of that reference. */
export async function findMemberByReference(db: Database, partnerId: string, externalUserId: string): Promise<Member | null> {
  const [row] = await db
    .select()
    .from(members)
    .where(and(eq(members.partnerId, partnerId), eq(members.externalUserId, externalUserId)));
  return row ?? null;
}

/** The partner's member of that reference, or else of that id. A foreign member is none. Two look-ups, each by its own index. */
export async function findMember(db: Database, partnerId: string, name: string): Promise<Member | null> {
  return (await findMemberByReference(db, partnerId, name)) ?? (isUuid(name) ? await findMemberById(db, name, partnerId) : null);
}

/** As {@link findMember}, and holds the row until the transaction ends. */
export async function lockMember(db: Database, partnerId: string, name: string): Promise<Member | null> {
  const found = await findMember(db, partnerId, name);
  return found === null ? null : await lockMemberById(db, found.id);
}

/** The member of that id, of this partner where one is named. */
export async function findMemberById(db: Database, id: string, partnerId?: string): Promise<Member | null> {
  const [row] = await db
    .select()
    .from(members)
    .where(and(eq(members.id, id), partnerId === undefined ? undefined : eq(members.partnerId, partnerId)));
  return row ?? null;
}

/** The member of that id, whoever's it is, held until the transaction ends: for the service itself. */
export async function lockMemberById(db: Database, id: string): Promise<Member | null> {
  const [row] = await db.select().from(members).where(eq(members.id, id)).for("update");
  return row ?? null;
}

/** Writes what changed of a member that was locked. */
export async function saveMember(db: Database, id: string, change: Partial<Member> & { updatedAt: Date }): Promise<void> {
  await db.update(members).set(change).where(eq(members.id, id));
}

/** The partner's members, newest first. */
export async function listMembers(db: Database, partnerId: string, { search, skip, limit }: PageRequest): Promise<Page<Member>> {
  const matching = and(
    eq(members.partnerId, partnerId),
    contains(search, [members.externalUserId, members.phone, members.name, members.email]),
  );
  const items = await db
    .select()
    .from(members)
    .where(matching)
    .orderBy(desc(members.createdAt), desc(members.id))
    .offset(skip)
    .limit(limit);
  const [counted] = await db.select({ total: count() }).from(members).where(matching);
  return { items, total: counted?.total ?? 0 };
}
