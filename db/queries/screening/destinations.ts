import { and, eq } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { settlements } from "#db/schema/settlements.ts";
import type { Destination } from "#domain/screening.ts";

/** The destination of a partner's settlement, which never changes. */
export async function findDestination(db: Database, id: string, partnerId: string): Promise<Destination | null> {
  const { chain, tokenAddress, walletAddress: address } = settlements;
  const [row] = await db
    .select({ chain, tokenAddress, address })
    .from(settlements)
    .where(and(eq(settlements.id, id), eq(settlements.partnerId, partnerId)));
  return row ?? null;
}
