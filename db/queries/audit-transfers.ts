import { and, asc, eq, gt, gte, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { transactionAttempts } from "#db/schema/transaction-attempts.ts";
import { transactions } from "#db/schema/transactions.ts";
import { transfers } from "#db/schema/transfers.ts";
import { firstId } from "#server/domain/ids.ts";
import type { Transfer } from "#server/domain/transfer.ts";
import { type AuditRule, type AuditScope, inScope } from "./audit-rule.ts";
import { toTransfer } from "./transfers.ts";

/** What must be true of every transfer in the database, beside its one standing transaction and the attempts at it. */
export function transferRules(scope: AuditScope): AuditRule[] {
  const within = inScope(scope, "transfer", sql`t.id`);
  return [
    {
      name: "transfer_has_one_transaction",
      title: "what was sent has one place in one wallet's sequence, does what is owed, and every attempt at it has that place",
      checked: sql`select count(*) from transfers t where ${within}`,
      violations: sql`
        select t.id, format('is %s, and its transaction %s', t.state, coalesce(x.id, 'is missing')), t.chain
        from transfers t left join transactions x on x.transfer_id = t.id and x.superseded_at is null left join wallets w on w.id = x.wallet_id
        where ${within} and case when x.id is null then t.state not in ('queued', 'failed') else t.state = 'queued' or w.chain <> t.chain
          or case when t.call_data is not null then lower(x.to_address) is distinct from lower(t.call_to) or x.value_base <> coalesce(t.call_value_base, 0)
              or x.data <> t.call_data
            when t.token_address is null then lower(x.to_address) is distinct from lower(t.recipient) or x.value_base <> t.amount_base
            else lower(x.to_address) is distinct from lower(t.token_address) or x.value_base <> 0 end end`,
    },
    {
      name: "superseded_had_the_same_intent",
      title: "a nonce that was spent in vain was of a wallet on the transfer's chain, and for the very payment that was made anew",
      checked: sql`select count(*) from transactions x join transfers t on t.id = x.transfer_id where ${within} and x.superseded_at is not null`,
      violations: sql`
        select t.id, format('nonce %s was spent in vain on something else', x.nonce), t.chain
        from transactions x join transfers t on t.id = x.transfer_id join wallets w on w.id = x.wallet_id
        where ${within} and x.superseded_at is not null and (w.chain <> t.chain
          or exists (select 1 from transactions s where s.transfer_id = t.id
            and (lower(s.to_address) is distinct from lower(x.to_address) or s.value_base <> x.value_base or s.data <> x.data)))`,
    },
    {
      name: "transfer_hash_is_an_attempt",
      title: "the hash of what was executed is that of one of its own signed payments, never of a cancellation",
      checked: sql`select count(*) from transfers t where ${within} and t.state = 'executed'`,
      violations: sql`
        select t.id, format('was executed by %s, which is no payment of its own', t.tx_hash), t.chain
        from transfers t where ${within} and t.state = 'executed' and not exists (
          select 1 from transactions x join transaction_attempts a on a.transaction_id = x.id
          where x.transfer_id = t.id and x.superseded_at is null and a.hash = t.tx_hash and a.kind = 'payment')`,
    },
  ];
}

/** A transfer that is over, and the hashes of every payment that was ever signed for it. */
export type EndedTransfer = { transfer: Transfer; payments: string[] };

/** Executed and failed transfers of a chain with an id above one, in the order of ids; with `endedSince`, those that ended since then. */
export async function listEndedTransfers(
  db: Database,
  page: { chain: string; scope: AuditScope; endedSince: Date | null; after: string | null; limit: number },
): Promise<EndedTransfer[]> {
  const from = page.after ?? (page.scope === null ? "" : firstId("transfer", page.scope));
  const rows = await db
    .select()
    .from(transfers)
    .where(
      and(
        eq(transfers.chain, page.chain),
        inArray(transfers.state, ["executed", "failed"]),
        gt(transfers.id, from),
        page.endedSince === null ? undefined : gte(transfers.updatedAt, page.endedSince),
      ),
    )
    .orderBy(asc(transfers.id))
    .limit(page.limit);
  if (rows.length === 0) return [];
  const attempts = await db
    .select({ transferId: transactions.transferId, hash: transactionAttempts.hash })
    .from(transactionAttempts)
    .innerJoin(transactions, eq(transactions.id, transactionAttempts.transactionId))
    .where(
      and(
        inArray(
          transactions.transferId,
          rows.map(({ id }) => id),
        ),
        eq(transactionAttempts.kind, "payment"),
      ),
    );
  const byTransfer = Map.groupBy(attempts, ({ transferId }) => transferId);
  return rows.map((row) => ({ transfer: toTransfer(row), payments: (byTransfer.get(row.id) ?? []).map(({ hash }) => hash) }));
}
