import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { type Attestation, type AttestedBalance, addDay, dayAfter, dayOf, type LedgerDigest, startOfDay } from "#domain/attestation.ts";
import { firstId, type IdKind, timeOfId } from "#domain/ids.ts";

/** Entries in one page of the digest. The pages of a day begin with its first entry, so their borders depend on the entries alone. */
const PAGE = 2_000;

/**
 * The digest of all ledger entries with their postings before a day, from an earlier day's digest on. Each day with entries adds its pages
 * of hashes. The hashing happens in the database.
 */
export async function digestLedger(
  db: Database,
  { from, to }: { from: { day: string | null; digest: LedgerDigest }; to: string },
): Promise<LedgerDigest> {
  let digest = from.digest;
  let after = from.day === null ? "" : firstId("ledgerEntry", startOfDay(from.day));
  for (;;) {
    const day = await nextDay(db, after, to);
    if (day === null) return digest;
    const end = firstId("ledgerEntry", startOfDay(dayAfter(day)));
    const pages: { count: number; lastId: string; digest: string }[] = [];
    for (let begin = after; ; ) {
      const page = await digestPage(db, pages.length === 0 ? sql`e.id >= ${begin}` : sql`e.id > ${begin}`, end);
      if (page === null) break;
      pages.push(page);
      begin = page.lastId;
    }
    digest = addDay(digest, day, pages);
    after = end;
  }
}

/** The first day before another with an entry from that id on. */
async function nextDay(db: Database, from: string, before: string): Promise<string | null> {
  const [row] = await db.execute<{ id: string | null }>(
    sql`select min(id) as id from ledger_entries where id >= ${from} and id < ${firstId("ledgerEntry", startOfDay(before))}`,
  );
  const at = row?.id == null ? null : timeOfId(row.id);
  return at === null ? null : dayOf(at);
}

async function digestPage(db: Database, from: SQL, before: string): Promise<{ count: number; lastId: string; digest: string } | null> {
  const [row] = await db.execute<{ count: number; last_id: string | null; digest: string }>(sql`
    select count(*)::int as count, max(id) as last_id, encode(sha256(convert_to(string_agg(line, E'\n' order by id), 'UTF8')), 'hex') as digest
    from (
      select e.id, jsonb_build_array(e.id, e.cause, e.cause_id, e.step, e.phase, e.resolves_id, e.partner_id, e.lines,
        (extract(epoch from e.at) * 1000)::bigint, (
          select jsonb_agg(jsonb_build_array(p.line, p.phase, p.account, p.partner_id, p.currency, p.chain, p.decimals, p.amount::text) order by p.line)
          from ledger_postings p where p.entry_id = e.id
        ))::text as line
      from ledger_entries e where ${from} and e.id < ${before} order by e.id limit ${PAGE}
    ) as entries`);
  return row?.last_id == null ? null : { count: row.count, lastId: row.last_id, digest: row.digest };
}

/** Every account's balance before a day, from the postings or, with `snapshots`, from what was added up before. */
export async function listBalancesBefore(db: Database, day: string, { snapshots }: { snapshots: boolean }): Promise<AttestedBalance[]> {
  const before = firstId("ledgerEntry", startOfDay(day));
  const newest = snapshots ? sql`(select coalesce(max(before_id), '') from ledger_snapshots where before_id <= ${before})` : sql`''`;
  const rows = await db.execute<AttestedBalance>(sql`
    select account, partner_id, currency, chain, decimals, sum(amount)::text as amount from (
      select account, partner_id, currency, chain, decimals, amount from ledger_snapshots where before_id = ${newest}
      union all
      select account, partner_id, currency, chain, decimals, amount from ledger_postings
      where phase = 'posted' and entry_id < ${before} and entry_id >= ${newest}
    ) as posted group by 1, 2, 3, 4, 5 having sum(amount) <> 0 order by account, currency, chain, partner_id`);
  return rows.map(({ account, partner_id, currency, chain, decimals, amount }) => ({
    account,
    partner_id,
    currency,
    chain,
    decimals,
    amount,
  }));
}

/** Payments that are owed and not final, and payouts that are promised, by partner and asset. */
export async function listOwed(db: Database): Promise<Attestation["liabilities"]> {
  const rows = await db.execute<Attestation["liabilities"][number]>(sql`
    select partner_id, 'payment' as kind, currency, chain, token_decimals as decimals, sum(amount_base)::text as amount from transfers
    where due_at is not null and purpose in ('settlement', 'topup', 'return') group by 1, 3, 4, 5
    union all
    select partner_id, 'payment', currency, chain, token_decimals, sum(amount_base)::text from transfers
    where state = 'needs_review' and purpose in ('settlement', 'topup', 'return') group by 1, 3, 4, 5
    union all
    select e.partner_id, 'payout', p.currency, p.chain, p.decimals, sum(p.amount)::text
    from ledger_entries e join ledger_postings p on p.entry_id = e.id
    where e.phase = 'pending' and p.account = 'clearing' and not exists (select 1 from ledger_entries r where r.resolves_id = e.id)
    group by 1, 3, 4, 5`);
  const sums = new Map<string, Attestation["liabilities"][number]>();
  for (const { partner_id, kind, currency, chain, decimals, amount } of rows) {
    const key = `${kind} ${currency} ${chain ?? ""} ${partner_id ?? ""}`;
    const sum = BigInt(sums.get(key)?.amount ?? 0) + BigInt(amount);
    sums.set(key, { partner_id, kind, currency, chain, decimals, amount: String(sum) });
  }
  return [...sums].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, owed]) => owed);
}

/** Tables whose rows are never removed, with the kind of their ids. */
const KEPT: readonly [table: string, kind: IdKind][] = [
  ["payment_verdicts", "verdict"],
  ["topups", "topup"],
  ["transfers", "transfer"],
  ["withdrawals", "withdrawal"],
];

/** The last row of each table before a day. */
export async function listPositions(db: Database, day: string): Promise<Attestation["positions"]> {
  const asked = KEPT.map(
    ([table, kind]) =>
      sql`select ${table}::text as name, max(id) as id from ${sql.identifier(table)} where id < ${firstId(kind, startOfDay(day))}`,
  );
  const rows = await db.execute<{ name: string; id: string | null }>(sql`${sql.join(asked, sql` union all `)} order by 1`);
  return rows.flatMap(({ name, id }) => (id === null ? [] : [{ table: name, last_id: id }]));
}

/** The positions whose rows are gone. */
export async function listGone(db: Database, positions: Attestation["positions"]): Promise<Attestation["positions"]> {
  const gone: Attestation["positions"] = [];
  for (const position of positions) {
    if (!KEPT.some(([table]) => table === position.table)) continue;
    const rows = await db.execute(sql`select 1 from ${sql.identifier(position.table)} where id = ${position.last_id}`);
    if (rows.length === 0) gone.push(position);
  }
  return gone;
}

/** The deployed Safes of a chain. */
export async function listDeployedSafes(db: Database, chain: string): Promise<string[]> {
  const rows = await db.execute<{ address: string }>(sql`
    select distinct address from safe_deployments where chain = ${chain} and kind = 'safe' and state = 'deployed' and address is not null
    order by address`);
  return rows.map(({ address }) => address);
}

/** The hash of the audit log's first seal; null: nothing is sealed yet. */
export async function findFirstSeal(db: Database): Promise<string | null> {
  const rows = await db.execute<{ hash: string }>(sql`select hash from audit_seals order by seq limit 1`);
  return rows[0]?.hash ?? null;
}
