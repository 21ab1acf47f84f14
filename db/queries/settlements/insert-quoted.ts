import type { Database } from "#db/client.ts";
import type { DatedEntry } from "#db/queries/audit/audit-entries.ts";
import { insertVerdicts, type KeptVerdict } from "#db/queries/holds/payment-holds.ts";
import { inTransaction, sendWithCommit, sentTogether } from "#db/transaction.ts";
import type { Demand } from "#domain/approval-policy.ts";
import type { Settlement } from "#domain/settlement.ts";
import { insertDemand } from "./settlement-approvals.ts";
import { insertSettlement } from "./settlements.ts";

/** A new settlement with the audit entry of its making. `verdict`: the limits that it is beyond; `demand`: what the approval policy asks of it. */
export type Quoted = { settlement: Settlement; entry: DatedEntry; verdict: KeptVerdict | null; demand: Demand | null };

/**
 * Writes all of a new quote in one transaction, as its last write, which commits it: its rows are new, and what they refer to is locked by
 * nobody in a way that they would wait for. On a pool it opens a transaction of its own.
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
