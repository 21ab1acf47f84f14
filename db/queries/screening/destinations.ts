import { and, eq } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { settlements } from "#db/schema/settlements.ts";
import type { Destination } from "#domain/screening.ts";

/** The destinations of the items of a partner's batch that could be confirmed, by the items' ids. */
export async function listBatchDestinations(db: Database, batchId: string, partnerId: string): Promise<Map<string, Destination>> {
  const { id, chain, tokenAddress, walletAddress: address } = settlements;
  const rows = await db
    .select({ id, chain, tokenAddress, address })
    .from(settlements)
    .where(and(eq(settlements.batchId, batchId), eq(settlements.partnerId, partnerId), eq(settlements.status, "quoted")));
  return new Map(rows.map(({ id: itemId, ...destination }) => [itemId, destination]));
}

/** The destination of a partner's settlement, which never changes. */
export async function findDestination(db: Database, id: string, partnerId: string): Promise<Destination | null> {
  const { chain, tokenAddress, walletAddress: address } = settlements;
  const [row] = await db
    .select({ chain, tokenAddress, address })
    .from(settlements)
    .where(and(eq(settlements.id, id), eq(settlements.partnerId, partnerId)));
  return row ?? null;
}
