import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { transfers } from "#db/schema/transfers.ts";
import { listLapsingClaims } from "./lapsing-attempts.ts";
import { unfinished } from "./unfinished.ts";

/**
 * Where the wallet's open transactions begin, how many there are, and how much they may still take out of the balances of a block:
 * transactions in no block, in a later one (which this worker may not even have read), or in one that the chain has dropped.
 */
export async function sumInFlight(db: Database, walletId: string, height: number): Promise<InFlight> {
  const rows = await db.execute<SumRow>(sql`
    select case when f.call_data is null or f.purpose = 'pack' then f.token_address end as token, count(*)::int as promised,
      count(*) filter (where f.state in ('signed', 'broadcast'))::int as count,
      min(t.nonce) filter (where f.state in ('signed', 'broadcast'))::text as lowest,
      sum(case when (f.call_data is null or f.purpose = 'pack') and f.token_address is not null then f.amount_base else 0 end)::text as owed,
      sum(t.value_base + coalesce((select max(a.gas_limit * a.max_fee_per_gas) from transaction_attempts a where a.transaction_id = t.id), 0))::text as gas
    from transfers f join transactions t on t.transfer_id = f.id and t.superseded_at is null
    where t.wallet_id = ${walletId} and f.id in (
      select id from transfers where ${unfinished()} and state in ('signed', 'broadcast')
      union select id from transfers where chain = (select chain from wallets where id = ${walletId}) and (block_number > ${height})
      union select id from transfers where adrift_since is not null) group by 1`);
  const lowest = rows.flatMap((row) => (row.lowest === null ? [] : [Number(row.lowest)]));
  return {
    count: rows.reduce((sum, row) => sum + row.count, 0),
    promised: rows.reduce((sum, row) => sum + row.promised, 0),
    lowestNonce: lowest.length === 0 ? null : Math.min(...lowest),
    nativeBase: rows.reduce((sum, row) => sum + BigInt(row.gas), 0n),
    tokenBase: new Map(rows.flatMap((row) => (row.token === null ? [] : [[row.token.toLowerCase(), BigInt(row.owed)] as const]))),
  };
}
type SumRow = { token: string | null; promised: number; count: number; lowest: string | null; owed: string; gas: string };
export type InFlight = { count: number; promised: number; lowestNonce: number | null; nativeBase: bigint; tokenBase: Map<string, bigint> };

/** The same of a wallet on a chain whose payments lapse, which has no nonces. `nativeBase`: what may be taken of the coin. */
export async function sumLapsingInFlight(db: Database, wallet: { chain: string; address: string }, height: number): Promise<InFlight> {
  const claims = await listLapsingClaims(db, wallet.chain, { wallet: wallet.address, above: height });
  const tokenBase = new Map<string, bigint>();
  let nativeBase = 0n;
  const add = (token: string | null, base: bigint) => {
    if (token === null) nativeBase += base;
    else tokenBase.set(token.toLowerCase(), (tokenBase.get(token.toLowerCase()) ?? 0n) + base);
  };
  for (const { token, amountBase, feeToken, feeAtMost } of claims) {
    add(token, amountBase);
    add(feeToken, feeAtMost);
  }
  return { count: claims.length, promised: claims.length, lowestNonce: null, nativeBase, tokenBase };
}

/** The ids of transfers in blocks above a height, or of all that are in a block. */
export async function listMinedAbove(tx: Database, chain: string, height: number): Promise<string[]> {
  const rows = await tx
    .select({ id: transfers.id })
    .from(transfers)
    .where(
      and(eq(transfers.chain, chain), isNotNull(transfers.dueAt), eq(transfers.state, "mined"), sql`${transfers.blockNumber} > ${height}`),
    );
  return rows.map(({ id }) => id);
}
