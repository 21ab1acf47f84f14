import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { SYSTEM } from "#domain/access.ts";
import type { Transfer } from "#domain/transfer.ts";

/** Writes what the chain did to a payment into the history of what it is owed for, where operators look for it. */
export async function recordInHistory(
  tx: Database,
  { id, ownerId }: Transfer,
  note: {
    action: "made_anew" | "vanished" | "restored" | "forfeited";
    reason: string;
    txHash: string | null;
    formerTxHash?: string | null;
    now: Date;
  },
): Promise<void> {
  await insertAuditEntry(tx, {
    by: SYSTEM,
    partnerId: null,
    action: `transfer.${note.action}`,
    objectId: ownerId,
    reason: note.reason,
    change: {
      transfer_id: id,
      ...(note.txHash !== null && { tx_hash: note.txHash }),
      ...(note.formerTxHash && { former_tx_hash: note.formerTxHash }),
    },
    now: note.now,
  });
}
