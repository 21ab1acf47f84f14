import { and, eq, gt } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { loginOrigins } from "#db/schema/login-origins.ts";
import { users } from "#db/schema/users.ts";

/** Whether the person of that e-mail address has signed in from that address since `since` (real time). */
export async function isKnownOrigin(db: Database, email: string, address: string, since: Date): Promise<boolean> {
  const rows = await db
    .select({ userId: loginOrigins.userId })
    .from(loginOrigins)
    .innerJoin(users, eq(users.id, loginOrigins.userId))
    .where(and(eq(users.email, email), eq(loginOrigins.address, address), gt(loginOrigins.lastSuccessAt, since)));
  return rows.length > 0;
}

export async function saveOrigin(db: Database, userId: string, address: string, now: Date): Promise<void> {
  await db
    .insert(loginOrigins)
    .values({ userId, address, lastSuccessAt: now })
    .onConflictDoUpdate({ target: [loginOrigins.userId, loginOrigins.address], set: { lastSuccessAt: now } });
}
