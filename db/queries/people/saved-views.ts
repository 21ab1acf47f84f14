import { and, asc, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { savedViews, users } from "#db/schema/people.ts";

export type SavedView = typeof savedViews.$inferSelect;
export type NewSavedView = typeof savedViews.$inferInsert;
/** The user: a person of an organisation (null: the operator's). */
export type Viewer = { userId: string; partnerId: string | null };

/** One's own, and what others of the same organisation share, by name. */
export async function listSavedViews(db: Database, viewer: Viewer): Promise<(SavedView & { ownerName: string })[]> {
  const rows = await db
    .select({ view: savedViews, ownerName: users.name })
    .from(savedViews)
    .innerJoin(users, eq(users.id, savedViews.ownerId))
    .where(and(ofOrganisation(viewer.partnerId), or(eq(savedViews.ownerId, viewer.userId), sql`${savedViews.shared}`)))
    .orderBy(asc(sql`lower(${savedViews.name})`), asc(savedViews.id));
  return rows.map(({ view, ownerName }) => ({ ...view, ownerName }));
}

/** How many a person has; locks the person's row, so that concurrent calls cannot exceed the limit. */
export async function countSavedViewsOf(db: Database, userId: string): Promise<number> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
  return await db.$count(savedViews, eq(savedViews.ownerId, userId));
}

export async function insertSavedView(db: Database, view: NewSavedView): Promise<void> {
  await db.insert(savedViews).values(view);
}

/** Locks one of the person's own until the transaction ends; never somebody else's. */
export async function lockSavedView(db: Database, id: string, { userId, partnerId }: Viewer): Promise<SavedView | null> {
  const own = and(eq(savedViews.id, id), eq(savedViews.ownerId, userId), ofOrganisation(partnerId));
  const [view] = await db.select().from(savedViews).where(own).for("update");
  return view ?? null;
}

export async function saveSavedView(db: Database, { id, ...changed }: SavedView): Promise<void> {
  await db.update(savedViews).set(changed).where(eq(savedViews.id, id));
}

export async function deleteSavedView(db: Database, id: string): Promise<void> {
  await db.delete(savedViews).where(eq(savedViews.id, id));
}

function ofOrganisation(partnerId: string | null): SQL {
  return partnerId === null ? isNull(savedViews.partnerId) : eq(savedViews.partnerId, partnerId);
}
