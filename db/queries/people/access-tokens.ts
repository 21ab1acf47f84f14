import { and, eq, gt, isNull, lte } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { accessTokens, users } from "#db/schema/people.ts";
import { HAS_PASSKEY } from "./passkeys.ts";

export async function insertAccessToken(db: Database, token: typeof accessTokens.$inferInsert): Promise<void> {
  await db.insert(accessTokens).values(token);
}

/** The user of a token, with the present role, if the token is valid at `now` (real time) and the user not disabled. */
export async function findTokenHolder(db: Database, tokenHash: string, now: Date) {
  const [row] = await db
    .select({
      tokenId: accessTokens.id,
      userId: users.id,
      role: users.role,
      partnerId: users.partnerId,
      hasTotp: users.hasTotp,
      hasPasskey: HAS_PASSKEY,
      createdAt: accessTokens.createdAt,
      byCode: accessTokens.byCode,
    })
    .from(accessTokens)
    .innerJoin(users, eq(users.id, accessTokens.userId))
    .where(
      and(eq(accessTokens.tokenHash, tokenHash), gt(accessTokens.expiresAt, now), isNull(accessTokens.revokedAt), isNull(users.disabledAt)),
    );
  return row ?? null;
}

export type TokenHolder = NonNullable<Awaited<ReturnType<typeof findTokenHolder>>>;

/** Ends a token at once. Returns its user, or null when it had ended already. */
export async function revokeAccessToken(db: Database, id: string, now: Date): Promise<string | null> {
  const [row] = await db
    .update(accessTokens)
    .set({ revokedAt: now })
    .where(and(eq(accessTokens.id, id), isNull(accessTokens.revokedAt)))
    .returning({ userId: accessTokens.userId });
  return row?.userId ?? null;
}

/** Ends all of a person's tokens at once. */
export async function revokeTokensOf(db: Database, userId: string, now: Date): Promise<void> {
  await db
    .update(accessTokens)
    .set({ revokedAt: now })
    .where(and(eq(accessTokens.userId, userId), isNull(accessTokens.revokedAt)));
}

/** Forgets tokens that ran out at or before `before`. */
export async function deleteAccessTokensBefore(db: Database, before: Date): Promise<void> {
  await db.delete(accessTokens).where(lte(accessTokens.expiresAt, before));
}
