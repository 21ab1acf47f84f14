import type { Database } from "#db/client.ts";
import { toTransfer } from "#db/queries/transfers/transfers.ts";
import { transfers } from "#db/schema/transfers.ts";
import type { Transfer } from "#domain/transfer.ts";
import { type EnqueueTransfer, newTransfer } from "#server/services/transfers/enqueue-transfer.ts";

/**
 * A payment that nobody owes, as no process of the service may write it: in a role that may do more. Null where its owner has one for that
 * purpose.
 */
export async function plantTransfer(db: Database, owed: EnqueueTransfer | Transfer): Promise<Transfer | null> {
  const { call, sender, ...columns } = "id" in owed ? owed : newTransfer(owed);
  const called = { callTo: call?.to ?? null, callValueBase: call?.valueBase ?? null, callData: call?.data ?? null };
  const times = { dueAt: columns.createdAt, updatedAt: columns.createdAt };
  const row = { ...columns, ...called, callSender: call?.sender ?? sender ?? null, ...times };
  const [stored] = await db.insert(transfers).values(row).onConflictDoNothing().returning();
  return stored === undefined ? null : toTransfer(stored);
}
