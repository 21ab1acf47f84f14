import type { Database } from "#db/client.ts";
import type { DatedEntry } from "#db/queries/audit/audit-entries.ts";
import { insertVerdicts, type KeptVerdict } from "#db/queries/holds/payment-holds.ts";
import { inTransaction, sendWithCommit, sentTogether } from "#db/transaction.ts";
import type { Demand } from "#domain/approval-policy.ts";
import type { Settlement } from "#domain/settlement.ts";
import { insertDemand } from "./settlement-approvals.ts";
import { insertSettlement } from "./settlements.ts";

/** A new settlement with its audit entry. `verdict`: the limits that it exceeds; `demand`: what the approval policy asks for. */
export type Quoted = { settlement: Settlement; entry: DatedEntry; verdict: KeptVerdict | null; demand: Demand | null };

/**
 * Writes a new quote as the last write of its transaction, which it commits. The rows are new, and no lock on the rows they refer to makes
 * them wait. On a pool it opens its own transaction.
 */
export async function insertQuoted(db: Database, { settlement, entry, verdict, demand }: Quoted): Promise<void> {
  const { id: settlementId, partnerId, createdAt: at } = settlement;
  await inTransaction(db, async (tx) => {
    const writes = [
      insertSettlement(tx, settlement, entry),
      ...(verdict === null ? [] : [insertVerdicts(tx, [verdict])]),
      ...(demand === null ? [] : [insertDemand(tx, { settlementId, partnerId, demand, at })]),
    ];
    await sendWithCommit(tx, sentTogether(...writes));
  });
}
