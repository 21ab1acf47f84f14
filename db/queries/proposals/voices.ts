import { eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { users } from "#db/schema/users.ts";
import type { UserRole } from "#domain/access.ts";
import type { Decider } from "#domain/approval.ts";
import { MACHINE, type Voice } from "#domain/two-people.ts";

/** Somebody of the operator's who may have a say, as they are at this moment, with what they may do. */
export type KnownVoice = Voice & {
  name: string;
  /** Of the person, or of the person who made the key; null: a key that was made on the machine. */
  role: UserRole | null;
  /** When they were shut out, or the key ended (real time). */
  endedAt: Date | null;
};

/** As whom somebody counts and since when; null for who is not known, and for a partner's. */
export async function findVoice(db: Database, { type, id }: Decider): Promise<KnownVoice | null> {
  return type === "user" ? await findPersonsVoice(db, id) : await findKeysVoice(db, id);
}

async function findPersonsVoice(db: Database, id: string): Promise<KnownVoice | null> {
  const [user] = await db.select().from(users).where(eq(users.id, id));
  if (user === undefined || user.partnerId !== null) return null;
  const { name, role, createdAt: since, disabledAt: endedAt } = user;
  return { principal: id, isPerson: true, since, hasSecondFactor: user.sealedTotpSecret !== null, name, role, endedAt };
}

async function findKeysVoice(db: Database, id: string): Promise<KnownVoice | null> {
  const [row] = await db
    .select({
      name: apiKeys.name,
      partnerId: apiKeys.partnerId,
      madeBy: apiKeys.madeBy,
      since: sql`greatest(${apiKeys.createdAt}, ${users.createdAt})`.mapWith(apiKeys.createdAt),
      endedAt: sql`least(${apiKeys.revokedAt}, ${apiKeys.expiresAt}, ${users.disabledAt})`.mapWith(apiKeys.createdAt),
      role: users.role,
    })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.madeBy))
    .where(eq(apiKeys.id, id));
  if (row === undefined || row.partnerId !== null) return null;
  const { name, since, role, endedAt, madeBy } = row;
  return { principal: madeBy ?? MACHINE, isPerson: false, since, hasSecondFactor: false, name, role, endedAt };
}
