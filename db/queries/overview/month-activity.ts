import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { firstId } from "#domain/ids.ts";

export type MonthKey = { partnerId: string; from: Date; to: Date };

/** What a partner's settlements of one day and pair came to. `day`: in UTC, by when they ended. */
export type DayActivity = {
  day: string;
  sourceCurrency: string;
  destinationCurrency: string;
  tokenDecimals: number;
  executed: number;
  failed: number;
  /** Of those that were executed. */
  sourceMinor: bigint;
  grossBase: bigint;
  feeBase: bigint;
  netBase: bigint;
};

type Row = Record<keyof DayActivity, string | number>;

/** The settlements that ended within the period (business time), by day and pair. It reads by when they ended, and no earlier history. */
export async function listDayActivity(db: Database, key: MonthKey): Promise<DayActivity[]> {
  const { partnerId, from, to } = key;
  const [since, until] = [from.toISOString(), to.toISOString()];
  const failed = JSON.stringify(await listFailedAround(db, key));
  const rows = await db.execute<Row>(sql`
    select to_char(ended at time zone 'UTC', 'YYYY-MM-DD') as "day", source_currency as "sourceCurrency",
      destination_currency as "destinationCurrency", token_decimals as "tokenDecimals",
      count(*) filter (where status = 'executed')::int as executed, count(*) filter (where status = 'failed')::int as failed,
      coalesce(sum(source_amount_minor) filter (where status = 'executed'), 0)::text as "sourceMinor",
      coalesce(sum(gross_base) filter (where status = 'executed'), 0)::text as "grossBase",
      coalesce(sum(platform_fee_base) filter (where status = 'executed'), 0)::text as "feeBase",
      coalesce(sum(destination_amount_base) filter (where status = 'executed'), 0)::text as "netBase"
    from (
      select s.*, s.executed_at as ended from settlements s
      where s.partner_id = ${partnerId}::uuid and s.executed_at >= ${since}::timestamptz and s.executed_at < ${until}::timestamptz
      union all
      select s.*, s.failed_at from settlements s
      where s.partner_id = ${partnerId}::uuid and s.id = any (array(select jsonb_array_elements_text(${failed}::text::jsonb)))
        and s.status = 'failed' and s.failed_at >= ${since}::timestamptz and s.failed_at < ${until}::timestamptz
    ) e group by 1, 2, 3, 4 order by 1, 2, 3, 4`);
  return rows.map(({ sourceMinor, grossBase, feeBase, netBase, ...row }) => ({
    ...(row as Omit<DayActivity, "sourceMinor" | "grossBase" | "feeBase" | "netBase">),
    sourceMinor: BigInt(sourceMinor),
    grossBase: BigInt(grossBase),
    feeBase: BigInt(feeBase),
    netBase: BigInt(netBase),
  }));
}

/** Ids of the settlements that failed within the period, give or take an hour: the audit log has an index of failures, by time. */
async function listFailedAround(db: Database, { partnerId, from, to }: MonthKey): Promise<string[]> {
  const [since, until] = [new Date(from.getTime() - HOUR_MS).toISOString(), new Date(to.getTime() + HOUR_MS).toISOString()];
  const rows = await db.execute<{ id: string }>(sql`
    select object_id as id from audit_entries where action = 'settlement.failed' and partner_id = ${partnerId}::uuid
      and at >= ${since}::timestamptz and at < ${until}::timestamptz`);
  return rows.map(({ id }) => id);
}

const HOUR_MS = 3_600_000;

/** How many settlements were executed within the period, up to the limit. */
export async function countExecutedIn(db: Database, { partnerId, from, to }: MonthKey, limit: number): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from (
      select from settlements s where s.partner_id = ${partnerId}::uuid and s.executed_at >= ${from.toISOString()}::timestamptz
        and s.executed_at < ${to.toISOString()}::timestamptz limit ${limit}) counted`);
  return row?.count ?? 0;
}

/** What the ledger debited the partner for executed settlements within the period, in the smallest unit of each currency. */
export async function sumSettledPostings(db: Database, { partnerId, from, to }: MonthKey): Promise<{ currency: string; minor: bigint }[]> {
  const rows = await db.execute<{ currency: string; minor: string }>(sql`
    select p.currency, sum(p.amount)::text as minor
    from ledger_postings p join ledger_entries e on e.id = p.entry_id and e.phase = 'posted' and e.cause = 'settlement'
    where p.partner_id = ${partnerId}::uuid and p.entry_id >= ${firstId("ledgerEntry", from)} and p.entry_id < ${firstId("ledgerEntry", to)}
    group by 1 order by 1`);
  return rows.map(({ currency, minor }) => ({ currency, minor: BigInt(minor) }));
}

/** A settlement as a partner's own file names it. */
export type NamedSettlement = {
  id: string;
  externalTxId: string | null;
  status: string;
  sourceMinor: bigint;
  sourceCurrency: string;
  endedAt: Date | null;
};

/** Settlements of the partner by the references or ids of a file. */
export async function listNamedSettlements(db: Database, partnerId: string, names: readonly string[]): Promise<NamedSettlement[]> {
  const rows = await db.execute<{
    id: string;
    external: string | null;
    status: string;
    minor: string;
    currency: string;
    ended: string | null;
  }>(sql`
    with named as materialized (select distinct jsonb_array_elements_text(${JSON.stringify(names)}::text::jsonb) as name)
    select s.id, s.external_tx_id as external, s.status, s.source_amount_minor::text as minor, s.source_currency as currency,
      coalesce(s.executed_at, s.failed_at) as ended
    from named join settlements s on s.partner_id = ${partnerId}::uuid and (s.external_tx_id = named.name or s.id = named.name)`);
  return rows.map(({ id, external, status, minor, currency, ended }) => ({
    id,
    externalTxId: external,
    status,
    sourceMinor: BigInt(minor),
    sourceCurrency: currency,
    endedAt: ended === null ? null : new Date(ended),
  }));
}

/** Executed settlements of the period after that place, the oldest first, for the rows that a partner's file lacks. */
export async function listExecutedIn(
  db: Database,
  { partnerId, from, to }: MonthKey,
  { after, limit }: { after: { endedAt: Date; id: string } | null; limit: number },
): Promise<(NamedSettlement & { endedAt: Date })[]> {
  const rows = await db.execute<{ id: string; external: string | null; minor: string; currency: string; ended: string }>(sql`
    select s.id, s.external_tx_id as external, s.source_amount_minor::text as minor, s.source_currency as currency, s.executed_at as ended
    from settlements s where s.partner_id = ${partnerId}::uuid and s.executed_at >= ${from.toISOString()}::timestamptz
      and s.executed_at < ${to.toISOString()}::timestamptz
      ${after === null ? sql`` : sql`and (s.executed_at, s.id) > (${after.endedAt.toISOString()}::timestamptz, ${after.id})`}
    order by s.executed_at, s.id limit ${limit}`);
  return rows.map(({ id, external, minor, currency, ended }) => ({
    id,
    externalTxId: external,
    status: "executed",
    sourceMinor: BigInt(minor),
    sourceCurrency: currency,
    endedAt: new Date(ended),
  }));
}
