import { and, asc, eq, getTableColumns, ilike, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { partners } from "#db/schema/partners.ts";
import { loginOrigins, sessions, users } from "#db/schema/people.ts";
import { HAS_PASSKEY } from "./passkeys.ts";

const { passwordHash, sealedTotpSecret, sealedTotpDraft, lastTotpStep, ...seen } = getTableColumns(users);
/** What queries show of people. Secrets are none of it (`person-secrets.ts`). */
export const PERSON_COLUMNS = seen;
export type UserRecord = Omit<typeof users.$inferSelect, "passwordHash" | "sealedTotpSecret" | "sealedTotpDraft" | "lastTotpStep">;

/** Answers false, and adds nothing, when the e-mail address is taken. */
export async function insertUser(db: Database, user: typeof users.$inferInsert): Promise<boolean> {
  const { count } = await db.insert(users).values(user).onConflictDoNothing({ target: users.email });
  return count > 0;
}

/** `email`: in lower case. */
export async function findUserByEmail(db: Database, email: string): Promise<UserRecord | null> {
  const [row] = await db.select(PERSON_COLUMNS).from(users).where(eq(users.email, email));
  return row ?? null;
}

export async function findUser(db: Database, id: string): Promise<UserRecord | null> {
  const [row] = await db.select(PERSON_COLUMNS).from(users).where(eq(users.id, id));
  return row ?? null;
}

export async function lockUser(db: Database, id: string): Promise<UserRecord | null> {
  const [row] = await db.select(PERSON_COLUMNS).from(users).where(eq(users.id, id)).for("update");
  return row ?? null;
}

/**
 * Locks the people who may manage the users of the operator (`partnerId` null) or of a partner, in one order. If two take that right from
 * each other, the second no longer has it.
 */
export async function lockManagers(db: Database, partnerId: string | null): Promise<ReadonlySet<string>> {
  const role = partnerId === null ? eq(users.role, "admin") : and(eq(users.role, "owner"), eq(users.partnerId, partnerId));
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(role, isNull(users.disabledAt)))
    .orderBy(asc(users.id))
    .for("update");
  return new Set(rows.map(({ id }) => id));
}

/** Of two who count people to add one, the second counts after the first has added. */
export async function lockPeople(db: Database): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(7355612)`);
}

/** Nobody has confirmed the devices that the person will have next. */
export const UNCONFIRMED = { deviceConfirmedAt: null, deviceConfirmedBy: null };

/** Changes what of a person may be changed; the row is locked by then. */
export async function updateUser(
  db: Database,
  id: string,
  change: Partial<Pick<UserRecord, "name" | "role" | "disabledAt" | "deviceConfirmedAt" | "deviceConfirmedBy">>,
): Promise<void> {
  await db.update(users).set(change).where(eq(users.id, id));
}

/** `of`: the operator's people, those of all partners, or those of one. `text`: a part of name or address. */
export type PeopleFilter = { of: "operator" | "partners" | { partnerId: string }; text: string | null };

/** By name. Up to `limit` + 1, which shows that there are more. */
export async function listPeople(db: Database, { of, text }: PeopleFilter, limit: number) {
  const where: (SQL | undefined)[] = [
    of === "operator" ? isNull(users.partnerId) : of === "partners" ? isNotNull(users.partnerId) : eq(users.partnerId, of.partnerId),
  ];
  if (text !== null) {
    const pattern = `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
    where.push(or(ilike(users.name, pattern), ilike(users.email, pattern)));
  }
  const lastSeen = db
    .select({ at: sql`max(${sessions.lastSeenAt})` })
    .from(sessions)
    .where(eq(sessions.userId, users.id));
  const origin = db
    .select({ at: sql`max(${loginOrigins.lastSuccessAt})` })
    .from(loginOrigins)
    .where(eq(loginOrigins.userId, users.id));
  return await db
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      role: users.role,
      partnerId: users.partnerId,
      partnerName: partners.name,
      hasTotp: users.hasTotp,
      hasPasskey: HAS_PASSKEY,
      createdAt: users.createdAt,
      disabledAt: users.disabledAt,
      deviceConfirmedAt: users.deviceConfirmedAt,
      /** Real time; null: never signed in. */
      lastActiveAt: sql<Date | null>`greatest((${lastSeen}), (${origin}))`.mapWith(users.disabledAt),
    })
    .from(users)
    .leftJoin(partners, eq(partners.id, users.partnerId))
    .where(and(...where))
    .orderBy(asc(sql`lower(${users.name})`), asc(users.id))
    .limit(limit);
}

/** A user as in lists. */
export type ListedPerson = Awaited<ReturnType<typeof listPeople>>[number];
