import { and, eq, ne, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { reviewClaims } from "#db/schema/review-claims.ts";

/** Who is reviewing which settlement. Instants are real time. */
export type ReviewClaim = { settlementId: string; userId: string; userName: string };

/** Claims a settlement's review for this many seconds, unless somebody else has a valid claim; releases the person's other claims. */
export async function saveReviewClaim(db: Database, claim: { settlementId: string; userId: string; seconds: number }): Promise<void> {
  const { settlementId, userId, seconds } = claim;
  await db.delete(reviewClaims).where(and(eq(reviewClaims.userId, userId), ne(reviewClaims.settlementId, settlementId)));
  const claimedUntil = sql`clock_timestamp() + ${seconds} * interval '1 second'`;
  await db
    .insert(reviewClaims)
    .values({ settlementId, userId, claimedUntil })
    .onConflictDoUpdate({
      target: reviewClaims.settlementId,
      set: { userId, claimedUntil },
      setWhere: sql`${reviewClaims.userId} = ${userId} or ${reviewClaims.claimedUntil} <= clock_timestamp()`,
    });
}

/** Releases all claims of a person. */
export async function dropClaims(db: Database, userId: string): Promise<void> {
  await db.delete(reviewClaims).where(eq(reviewClaims.userId, userId));
}

/** The claims that have not expired. */
export async function listClaims(db: Database): Promise<ReviewClaim[]> {
  const rows = await db.execute<{ settlement_id: string; user_id: string; name: string }>(sql`
    select c.settlement_id, c.user_id, u.name from review_claims c join users u on u.id = c.user_id
    where c.claimed_until > clock_timestamp() order by c.settlement_id limit 500`);
  return rows.map(({ settlement_id, user_id, name }) => ({ settlementId: settlement_id, userId: user_id, userName: name }));
}
