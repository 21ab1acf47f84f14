import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { LedgerAccount } from "#server/domain/ledger.ts";

export type LedgerBalance = {
  account: LedgerAccount;
  partnerId: string | null;
  currency: string;
  chain: string | null;
  decimals: number;
  /** Debit above, credit below zero, in the smallest unit. */
  amount: bigint;
};

/** What every account comes to, of what is posted: promises are in no balance. Accounts that nothing was ever posted to are left out. */
export async function listLedgerBalances(db: Database): Promise<LedgerBalance[]> {
  const rows = await db.execute<{
    account: LedgerAccount;
    partner_id: string | null;
    currency: string;
    chain: string | null;
    decimals: number;
    amount: string;
  }>(sql`
    select p.account, p.partner_id, p.currency, p.chain, p.decimals, sum(p.amount)::text as amount
    from ledger_postings p join ledger_entries e on e.id = p.entry_id and e.phase = 'posted'
    group by p.account, p.partner_id, p.currency, p.chain, p.decimals
    order by p.account, p.currency, p.chain, p.partner_id`);
  return rows.map(({ account, partner_id: partnerId, currency, chain, decimals, amount }) => {
    return { account, partnerId, currency, chain, decimals, amount: BigInt(amount) };
  });
}

export type BookedPool = { currency: string; totalMinor: bigint; reservedMinor: bigint };

/**
 * What the ledger says of every fiat pool, as of one instant: what it holds, and what is promised out of it. The whole of an account
 * is added up without the entries; the promises, open or ended, are then taken off it, which are found by an index of their own.
 */
export async function listBookedPools(db: Database): Promise<BookedPool[]> {
  const rows = await db.execute<{ currency: string; total: string; reserved: string }>(sql`
    with promised as (
      select p.currency, sum(p.amount) as all_promises,
        sum(p.amount) filter (where not exists (select 1 from ledger_entries r where r.resolves_id = e.id)) as open_promises
      from ledger_entries e join ledger_postings p on p.entry_id = e.id and p.account = 'fiat_pool'
      where e.phase = 'pending' group by 1
    ), booked as (
      select currency, sum(amount) as amount from ledger_postings where account = 'fiat_pool' group by 1
    )
    select b.currency, (b.amount - coalesce(p.all_promises, 0))::text as total, (-coalesce(p.open_promises, 0))::text as reserved
    from booked b left join promised p using (currency) order by 1`);
  return rows.map(({ currency, total, reserved }) => ({ currency, totalMinor: BigInt(total), reservedMinor: BigInt(reserved) }));
}

/** What the ledger says that the wallets of a chain hold of a token, and whether its books there were opened. */
export async function readBookedTreasury(
  db: Database,
  token: { chain: string; currency: string },
): Promise<{ amount: bigint; opened: boolean }> {
  const [row] = await db.execute<{ amount: string; opened: boolean }>(sql`
    select coalesce(sum(p.amount), 0)::text as amount,
      exists (select 1 from ledger_entries e where e.cause = 'treasury' and e.cause_id = ${`${token.chain}:${token.currency}`} and e.step = 'opened') as opened
    from ledger_postings p where p.account = 'treasury' and p.currency = ${token.currency} and p.chain = ${token.chain}`);
  return { amount: BigInt(row?.amount ?? 0), opened: row?.opened ?? false };
}
