import { and, eq, gt, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { type AuditScope, type AuditSlice, inScope } from "#db/queries/audit/rules/rule.ts";
import { among, insertion } from "#db/rows.ts";
import { networkFees } from "#db/schema/ledger.ts";
import { firstId } from "#domain/ids.ts";

/** What a transaction has cost, all its rows together, and how many they are. */
export type NetworkFee = { hash: string; feeBase: bigint; rows: number };

/** Keeps what final transactions cost. Answers the ids of those that were not known. */
export async function insertNetworkFees(tx: Database, fees: readonly (typeof networkFees.$inferSelect)[]): Promise<string[]> {
  if (fees.length === 0) return [];
  const kept = await tx.execute<{ id: string }>(sql`${insertion(networkFees, fees)} on conflict do nothing returning id`);
  return kept.map(({ id }) => id);
}

/** What the transactions with these hashes cost, of those that are booked. */
export async function listNetworkFees(db: Database, hashes: readonly string[]): Promise<NetworkFee[]> {
  if (hashes.length === 0) return [];
  const booked = await db
    .select({ hash: networkFees.hash, fee: sql<string>`sum(${networkFees.feeBase})::text`, rows: sql<number>`count(*)::int` })
    .from(networkFees)
    .where(inArray(networkFees.hash, [...hashes]))
    .groupBy(networkFees.hash);
  return booked.map(({ hash, fee, rows }) => ({ hash, feeBase: BigInt(fee), rows }));
}

/** Booked fees of a chain's transactions in blocks above a height. */
export async function sumFeesAbove(db: Database, chain: string, height: number): Promise<bigint> {
  const [row] = await db
    .select({ fees: sql<string>`coalesce(sum(${networkFees.feeBase}), 0)::text` })
    .from(networkFees)
    .where(and(eq(networkFees.chain, chain), gt(networkFees.blockNumber, height)));
  return BigInt(row?.fees ?? 0);
}

/** Booked fees of these transactions in blocks up to a height. */
export async function sumFeesUpTo(db: Database, hashes: readonly string[], height: number): Promise<bigint> {
  if (hashes.length === 0) return 0n;
  const [row] = await db
    .select({ fees: sql<string>`coalesce(sum(${networkFees.feeBase}), 0)::text` })
    .from(networkFees)
    .where(and(among(networkFees.hash, hashes), lte(networkFees.blockNumber, height)));
  return BigInt(row?.fees ?? 0);
}

/** The transactions that a chain's wallets signed last, newest first, each with what is booked of it in blocks down to a height. */
export async function listNewestCosts(
  db: Database,
  { chain, height, limit }: { chain: string; height: number; limit: number },
): Promise<{ hash: string; bookedBase: bigint }[]> {
  const rows = await db.execute<{ hash: string; booked: string }>(sql`
    select n.hash, (select coalesce(sum(f.fee_base), 0) from network_fees f where f.hash = n.hash and f.block_number <= ${height})::text as booked
    from (
      select a.hash, x.id, a.number from transactions x join wallets w on w.id = x.wallet_id join transaction_attempts a on a.transaction_id = x.id
      where w.chain = ${chain} order by x.id desc, a.number desc limit ${limit}
    ) n order by n.id desc, n.number desc`);
  return rows.map(({ hash, booked }) => ({ hash, bookedBase: BigInt(booked) }));
}

export type Coin = { chain: string; currency: string };

/** What was booked of the network's fees in each of these coins since an instant (business time), in base units. */
export async function sumFeesSince(db: Database, coins: readonly Coin[], since: Date): Promise<(Coin & { feeBase: bigint })[]> {
  const asked = coins.map(({ chain, currency }) => ({ chain, currency }));
  const rows = await db.execute<Coin & { fee: string }>(sql`
    select c.chain, c.currency, coalesce((select sum(p.amount) from ledger_postings p where p.account = 'network_fees' and p.currency = c.currency
      and p.chain = c.chain and p.phase = 'posted' and p.entry_id >= ${firstId("ledgerEntry", since)}), 0)::text as fee
    from jsonb_to_recordset(${JSON.stringify(asked)}::text::jsonb) as c(chain text, currency text)`);
  return rows.map(({ chain, currency, fee }) => ({ chain, currency, feeBase: BigInt(fee) }));
}

/** The fees of all transactions of a transfer so far; null: none is final. */
export async function sumFeesOf(db: Database, transferId: string): Promise<bigint | null> {
  const [row] = await db
    .select({ fees: sql<string | null>`sum(${networkFees.feeBase})::text` })
    .from(networkFees)
    .where(eq(networkFees.transferId, transferId));
  return row?.fees == null ? null : BigInt(row.fees);
}

/**
 * Attempts that ended their transfers, or a cancelled nonce, without a booked fee. Only one of a nonce's attempts is in a block, so all are
 * named if none is booked. No fee is missing where something else used the nonce, and a person had the payment made again. Before fees were
 * read from receipts, a day's fees were booked as one sum up to a height, which its entry names: up to there nothing is missing.
 */
export function unbookedAttempts(scope: AuditScope | AuditSlice): SQL {
  return sql`
    select a.hash, t.id as transfer_id, t.chain
    from transfers t join transactions x on x.transfer_id = t.id join transaction_attempts a on a.transaction_id = x.id and a.hash = t.tx_hash
      left join (
        select substring(cause_id from '^(.*):[^:]+:[0-9]+$') as chain, max(substring(cause_id from '[0-9]+$')::bigint) as height
        from ledger_entries where cause = 'treasury' and step = 'network_fees' group by 1
      ) summed on summed.chain = t.chain
    where ${inScope(scope, "transfer", sql`t.id`)} and t.state in ('executed', 'failed', 'needs_review')
      and t.block_number > coalesce(summed.height, -1) and not exists (select 1 from network_fees f where f.hash = a.hash)
    union all
    select a.hash, t.id as transfer_id, t.chain
    from transactions x join transfers t on t.id = x.transfer_id join transaction_attempts a on a.transaction_id = x.id
    where ${inScope(scope, "transfer", sql`t.id`)} and x.superseded_at is not null and not exists (
      select 1 from transaction_attempts b join network_fees f on f.hash = b.hash where b.transaction_id = x.id)
      and not exists (select 1 from audit_entries e where e.object_id = t.id and e.action = 'transfer.resolved_retry'
        and e.change->>'nonce' = x.nonce::text and e.change->>'mined' = '0')
    union all
    select a.id, t.id as transfer_id, t.chain from lapsing_attempts a join transfers t on t.id = a.transfer_id
    where ${inScope(scope, "transfer", sql`t.id`)} and a.state in ('paid', 'failed') and not exists (select 1 from network_fees f where f.hash = a.id)`;
}

export async function listUnbookedAttempts(
  db: Database,
  { chain, scope, limit }: { chain: string; scope: AuditScope; limit: number },
): Promise<{ hash: string; transferId: string }[]> {
  const rows = await db.execute<{ hash: string; transfer_id: string }>(
    sql`select hash, transfer_id from (${unbookedAttempts(scope)}) missed where chain = ${chain} order by transfer_id limit ${limit}`,
  );
  return rows.map(({ hash, transfer_id: transferId }) => ({ hash, transferId }));
}
