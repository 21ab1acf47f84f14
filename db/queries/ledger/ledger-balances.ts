import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { Raw } from "#db/columns.ts";
import type { LedgerAccount, LedgerCause, LedgerStep } from "#domain/ledger.ts";

export type LedgerBalance = {
  account: LedgerAccount;
  partnerId: string | null;
  currency: string;
  chain: string | null;
  decimals: number;
  /** Debit above, credit below zero, in the smallest unit. */
  amount: bigint;
};

/** Every id of an entry sorts before it. */
const AFTER_ALL = sql.raw("'lf'");

/**
 * Snapshots and postings that add up to the balances of the accounts that `only` selects (a condition on columns of both): the newest snapshot
 * plus later postings, in one statement and so at one instant. Without promises. `before`: an id of an entry; that entry and later ones do not
 * count.
 *
 * The text decides what PostgreSQL reads. Postings have an upper bound too, because of a lower bound alone it expects a third of all. And
 * `coalesce` is within the subselect: around it, PostgreSQL would use no index of postings in a partner's role.
 */
export function balanceRows(only: SQL, before = AFTER_ALL): SQL {
  const newest = sql`(select coalesce(max(before_id), '') from ledger_snapshots where before_id <= ${before})`;
  return sql`
    select account, partner_id, currency, chain, decimals, amount from ledger_snapshots where ${only} and before_id = ${newest}
    union all
    select account, partner_id, currency, chain, decimals, amount from ledger_postings
    where ${only} and phase = 'posted' and entry_id >= ${newest} and entry_id < ${before}`;
}

/** The balances that {@link balanceRows} add up to. */
export function balances(only: SQL, before?: SQL): SQL {
  return sql`
    select account, partner_id, currency, chain, decimals, sum(amount) as amount from (${balanceRows(only, before)}) as posted group by 1, 2, 3, 4, 5`;
}

/** The balance of every account; accounts without postings are omitted. */
export async function listLedgerBalances(db: Database): Promise<LedgerBalance[]> {
  const rows = await db.execute<Raw<LedgerBalance>>(sql`
    select account, partner_id as "partnerId", currency, chain, decimals, amount::text from (${balances(sql`true`)}) b
    order by account, currency, chain, partner_id`);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

/** One line of an entry, as its account sees it. */
export type AccountLine = {
  entryId: string;
  line: number;
  at: Date;
  cause: LedgerCause;
  causeId: string;
  step: LedgerStep;
  decimals: number;
  amount: bigint;
};

/** The newest lines of an account, without promises. */
export async function listAccountLines(
  db: Database,
  { account, partnerId, currency, chain }: Pick<LedgerBalance, "account" | "partnerId" | "currency" | "chain">,
  limit: number,
): Promise<AccountLine[]> {
  const place = chain === null ? sql`p.chain is null` : sql`p.chain = ${chain}`;
  const owner = partnerId === null ? sql`p.partner_id is null` : sql`p.partner_id = ${partnerId}::uuid`;
  const rows = await db.execute<Raw<AccountLine>>(sql`
    select p.entry_id as "entryId", p.line, e.at, e.cause, e.cause_id as "causeId", e.step, p.decimals, p.amount::text
    from ledger_postings p join ledger_entries e on e.id = p.entry_id
    where p.account = ${account} and p.currency = ${currency} and ${place} and p.phase = 'posted' and ${owner}
    order by p.entry_id desc, p.line limit ${limit}`);
  return rows.map((row) => ({ ...row, at: new Date(row.at), amount: BigInt(row.amount) }));
}

/** At most so many times what is wanted for a snapshot is added up at once. Entries that are being committed wait meanwhile, for 3 s at most. */
const AT_ONCE = 3;

/**
 * The end of the newest snapshot, null without one, and whether entries came between it and `before`: any, and many. Many are `most`, and ten
 * for each account, so that snapshots stay small next to what they add up. `until`: where the next snapshot may end.
 */
export async function readSnapshotLag(
  db: Database,
  { before, most }: { before: string; most: number },
): Promise<{ newest: string | null; any: boolean; many: boolean; until: string }> {
  const [row] = await db.execute<{ newest: string; any: boolean; many: boolean; until: string }>(sql`
    with last as materialized (select coalesce(max(before_id), '') as id from ledger_snapshots),
      wanted as materialized (select greatest(${most}, 10 * count(*)) as entries from ledger_snapshots where before_id = (select id from last)),
      later as materialized (select count(*) as entries, max(id) as id from (select id from ledger_entries where phase = 'posted'
        and id >= (select id from last) and id < ${before} order by id limit ${AT_ONCE} * (select entries from wanted)) few)
    select last.id as newest, later.entries > 0 as any, later.entries >= wanted.entries as many,
      case when later.entries < ${AT_ONCE} * wanted.entries then ${before} else later.id end as until
    from last, wanted, later`);
  return { newest: row?.newest || null, any: row?.any ?? false, many: row?.many ?? false, until: row?.until ?? before };
}

/**
 * Stores every account's balance from all entries before an id, on top of the previous snapshot. It waits until every entry that is being
 * committed is there. From then on the database refuses older ones (`check_ledger_entry`).
 */
export async function insertLedgerSnapshot(tx: Database, beforeId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(7355621)`);
  await tx.execute(sql`
    insert into ledger_snapshots (before_id, account, partner_id, currency, chain, decimals, amount)
    select ${beforeId}, account, partner_id, currency, chain, decimals, sum(amount) from (${balanceRows(sql`true`, sql`${beforeId}`)}) as posted
    where ${beforeId} > coalesce((select max(before_id) from ledger_snapshots), '')
    group by 2, 3, 4, 5, 6`);
}

/** The ledger's balance of a chain's wallets in a token, and whether its books there are open. */
export async function readBookedTreasury(
  db: Database,
  token: { chain: string; currency: string },
): Promise<{ amount: bigint; opened: boolean }> {
  const account = sql`account = 'treasury' and currency = ${token.currency} and chain = ${token.chain}`;
  const [row] = await db.execute<{ amount: string; opened: boolean }>(sql`
    select coalesce((select sum(amount) from (${balances(account)}) b), 0)::text as amount,
      exists (select 1 from ledger_entries e where e.cause = 'treasury' and e.cause_id = ${`${token.chain}:${token.currency}`} and e.step = 'opened') as opened`);
  return { amount: BigInt(row?.amount ?? 0), opened: row?.opened ?? false };
}
