import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { users } from "#db/schema/users.ts";

/** A person who signs in, with what proves it. */
export type UserRecord = typeof users.$inferSelect;

/** Answers false, and adds nothing, when the e-mail address is taken. */
export async function insertUser(db: Database, user: typeof users.$inferInsert): Promise<boolean> {
  const rows = await db.insert(users).values(user).onConflictDoNothing({ target: users.email }).returning({ id: users.id });
  return rows.length > 0;
}

/** `email`: in lower case. */
export async function findUserByEmail(db: Database, email: string): Promise<UserRecord | null> {
  const [row] = await db.select().from(users).where(eq(users.email, email));
  return row ?? null;
}

export async function findUser(db: Database, id: string): Promise<UserRecord | null> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row ?? null;
}

/** Uses up the one-time code of a half minute. Answers false when it, or a later one, was used before: of two at once, one wins. */
export async function spendTotpStep(db: Database, userId: string, step: number): Promise<boolean> {
  const isUnspent = or(isNull(users.lastTotpStep), lt(users.lastTotpStep, step));
  const rows = await db
    .update(users)
    .set({ lastTotpStep: step })
    .where(and(eq(users.id, userId), isUnspent))
    .returning({ id: users.id });
  return rows.length > 0;
}
