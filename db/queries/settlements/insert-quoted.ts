import type { Database } from "#db/client.ts";
import { insertVerdicts, type KeptVerdict } from "#db/queries/holds/payment-holds.ts";
import { inTransaction, layoutOf, sendWithCommit, sentTogether } from "#db/transaction.ts";
import type { Demand } from "#domain/approval-policy.ts";
import { insertDemands } from "./settlement-approvals.ts";
import { insertSettlements, type Written } from "./write-settlements.ts";

/** A new settlement with its audit entry and its event. `verdict`: the limits that it exceeds; `demand`: what the approval policy asks for. */
export type Quoted = Written & { verdict: KeptVerdict | null; demand: Demand | null };

/**
 * Writes new quotes as the last write of their transaction, which it commits. The rows are new, and no lock on the rows they refer to makes
 * them wait. On a pool it opens its own transaction.
 */
export async function insertQuoted(db: Database, quoted: readonly Quoted[]): Promise<void> {
  const write = (tx: Database) => {
    // On Citus it is several statements, of which the commit must wait for each.
    return layoutOf(tx) === "citus" ? writeQuoted(tx, quoted) : sendWithCommit(tx, writeQuoted(tx, quoted));
  };
  await inTransaction(db, write);
}

/** The writes of {@link insertQuoted}, for work that goes on. */
export async function writeQuoted(tx: Database, quoted: readonly Quoted[]): Promise<void> {
  const demands = quoted.flatMap(({ settlement: { id: settlementId, partnerId, createdAt: at }, demand }) =>
    demand === null ? [] : [{ settlementId, partnerId, demand, at }],
  );
  const verdicts = quoted.flatMap(({ verdict }) => (verdict === null ? [] : [verdict]));
  await sentTogether(
    insertSettlements(tx, quoted),
    ...(verdicts.length === 0 ? [] : [insertVerdicts(tx, verdicts)]),
    ...(demands.length === 0 ? [] : [insertDemands(tx, demands)]),
  );
}
