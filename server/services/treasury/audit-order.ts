import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import type { By } from "#domain/access.ts";

/** Anyone who gives an order about the treasury, and why. */
export type TreasuryOrder = { by: By; reason: string };

type Note = { action: string; objectId: string; change: Record<string, unknown>; now: Date };

/** Keeps the order in the audit log, in the transaction of the order itself. It is the operator's own business: no partner's. */
export async function auditOrder(tx: Database, { by, reason }: TreasuryOrder, note: Note): Promise<void> {
  await insertAuditEntry(tx, { by, reason, partnerId: null, ...note });
}
