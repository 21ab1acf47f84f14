import { eq, inArray } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { transferProofs } from "#db/schema/transfer-proofs.ts";

export type TransferProof = typeof transferProofs.$inferSelect;

/** Keeps what proved a transfer. False, and nothing is kept, when that payment has proved another one; waits for whoever is at it. */
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
