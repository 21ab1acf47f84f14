import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { orphanedNonces } from "#db/schema/orphaned-nonces.ts";
import { transfers } from "#db/schema/transfers.ts";
import { wallets } from "#db/schema/wallets.ts";

/**
 * Superseded nonces whose final blocks a deep reorg has dropped: their transaction was superseded, or its transfer failed or was paid by
 * something else. Nobody sends them any more, and no later transaction of their wallet can be mined before them.
 */

/** For a transaction `x` and its transfer `t`: its nonce has nothing to pay any more. */
const IN_VAIN: SQL = sql`(x.superseded_at is not null or t.state = 'failed'
  or (t.state = 'executed' and (select own.transaction_id from transaction_attempts own where own.hash = t.tx_hash) is distinct from x.id))`;

/** Records those whose blocks were above a height. Payments under them are booked with their block. */
export async function setNoncesOrphaned(tx: Database, chain: string, height: number, now: Date): Promise<void> {
  await tx.execute(sql`
    insert into adrift_places (transaction_id, transfer_id, wallet_id, since)
    select distinct x.id, x.transfer_id, x.wallet_id, ${now.toISOString()}::timestamptz
    from network_fees f join transaction_attempts a on a.hash = f.hash join transactions x on x.id = a.transaction_id
      join transfers t on t.id = x.transfer_id
    where f.chain = ${chain} and f.block_number > ${height} and ${IN_VAIN} on conflict do nothing`);
}

/** Records those that are not recorded yet. */
export async function insertOrphanedNonces(tx: Database, transactionIds: readonly string[], now: Date): Promise<void> {
  if (transactionIds.length === 0) return;
  await tx.execute(sql`
    insert into adrift_places (transaction_id, transfer_id, wallet_id, since)
    select x.id, x.transfer_id, x.wallet_id, ${now.toISOString()}::timestamptz
    from transactions x where x.id = any(array(select jsonb_array_elements_text(${JSON.stringify(transactionIds)}::jsonb))) on conflict do nothing`);
}

/** The orphaned nonces of a chain's wallets, with the wallet of each. There are hardly ever any. */
export async function listOrphanedNonces(db: Database, chain: string): Promise<{ transactionId: string; walletId: string }[]> {
  return await db
    .select({ transactionId: orphanedNonces.transactionId, walletId: orphanedNonces.walletId })
    .from(orphanedNonces)
    .innerJoin(wallets, eq(wallets.id, orphanedNonces.walletId))
    .where(eq(wallets.chain, chain))
    .orderBy(asc(orphanedNonces.transactionId));
}

/** Locks it until the transaction ends. False: its nonce is finally spent, as another worker has found. */
export async function lockOrphanedNonce(tx: Database, transactionId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: orphanedNonces.transactionId })
    .from(orphanedNonces)
    .where(eq(orphanedNonces.transactionId, transactionId))
    .for("update");
  return rows.length === 1;
}

/** Its nonce is finally spent. */
export async function endOrphanedNonce(tx: Database, transactionId: string): Promise<void> {
  await tx.delete(orphanedNonces).where(eq(orphanedNonces.transactionId, transactionId));
}

/**
 * For a row of `transfers`: neither it nor its packed transaction has an orphaned nonce. While it has one, its former bytes may still be mined, and any other payment would
 * pay twice.
 */
export const hasNoOrphanedNonce: SQL = sql`not exists (select 1 from adrift_places former where former.transfer_id = ${transfers.id}
  or exists (select 1 from pack_members packed where packed.transfer_id = ${transfers.id} and packed.pack_id = former.transfer_id))`;

/** A nonce that nobody sends: `transactionId` null if it is unknown, else the superseded transaction under it. */
export type MissingNonce = { nonce: number; transactionId: string | null };

/** Nonces of a stretch of the wallet's sequence that nobody sends, lowest first. */
export async function listMissingNonces(
  db: Database,
  walletId: string,
  { from, below }: { from: number; below: number },
  limit: number,
): Promise<MissingNonce[]> {
  const rows = await db.execute<{ nonce: string; id: string | null }>(sql`
    select n::text as nonce, x.id from generate_series(${from}::bigint, ${below - 1}::bigint) as n
      left join transactions x on x.wallet_id = ${walletId}::uuid and x.nonce = n left join transfers t on t.id = x.transfer_id
    where x.id is null or ${IN_VAIN} order by n limit ${limit}`);
  return rows.map(({ nonce, id }) => ({ nonce: Number(nonce), transactionId: id }));
}
