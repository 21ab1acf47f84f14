import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { transferProofs } from "#db/schema/transfer-proofs.ts";

export type TransferProof = typeof transferProofs.$inferSelect;

/** Stores what proved a transfer. False, and nothing is stored, when that payment has proved another one. Waits for concurrent calls. */
export async function insertTransferProof(tx: Database, proof: TransferProof): Promise<boolean> {
  const kept = await tx
    .insert(transferProofs)
    .values(proof)
    .onConflictDoNothing({ target: [transferProofs.chain, transferProofs.hash, transferProofs.logIndex] })
    .returning({ transferId: transferProofs.transferId });
  return kept.length === 1;
}

export async function listTransferProofs(db: Database, transferIds: readonly string[]): Promise<TransferProof[]> {
  if (transferIds.length === 0) return [];
  return await db
    .select()
    .from(transferProofs)
    .where(inArray(transferProofs.transferId, [...transferIds]));
}

export async function findTransferProof(db: Database, transferId: string): Promise<TransferProof | null> {
  const [proof] = await db.select().from(transferProofs).where(eq(transferProofs.transferId, transferId));
  return proof ?? null;
}

/** By hash, which of a transaction's payments have proved a transfer. */
export async function listProvedPlaces(db: Database, chain: string, hashes: readonly string[]): Promise<Map<string, (number | null)[]>> {
  if (hashes.length === 0) return new Map();
  const rows = await db
    .select({ hash: transferProofs.hash, logIndex: transferProofs.logIndex })
    .from(transferProofs)
    .where(and(eq(transferProofs.chain, chain), inArray(transferProofs.hash, [...hashes])));
  return new Map([...Map.groupBy(rows, ({ hash }) => hash)].map(([hash, same]) => [hash, same.map(({ logIndex }) => logIndex)]));
}

/** Whether a transaction has proved a transfer. */
export async function hasProved(db: Database, chain: string, hash: string): Promise<boolean> {
  const rows = await db
    .select({ transferId: transferProofs.transferId })
    .from(transferProofs)
    .where(and(eq(transferProofs.chain, chain), eq(transferProofs.hash, hash)))
    .limit(1);
  return rows.length > 0;
}
