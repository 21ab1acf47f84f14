import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { decimal } from "#domain/decimal.ts";
import type { Walk } from "#domain/page.ts";
import { type PartnerTransaction, TRANSACTION_TYPES, type TransactionStatus, type TransactionType } from "#domain/transaction.ts";

export type TransactionFilter = {
  /** Left out: everybody's. */
  partnerId?: string;
  /** Only this partner's, as a filter; `partnerId` limits what may be seen at all. */
  onlyPartnerId?: string;
  type?: TransactionType;
  status?: TransactionStatus;
  externalId?: string;
  /** Inclusive. */
  createdFrom?: Date;
  /** Exclusive. */
  createdTo?: Date;
};

/** Each kind in the same columns: fiat in minor units with 0 decimals, crypto in base units with the token's. */
const KINDS: Readonly<Record<TransactionType, { columns: SQL; table: SQL; externalId: SQL }>> = {
  settlement: {
    columns: sql`'settlement' as type, id, partner_id, external_tx_id as external_id, status,
      source_currency, source_amount_minor::numeric as source_units, 0 as source_decimals,
      destination_currency, destination_amount_base as destination_units, token_decimals::int as destination_decimals,
      destination_currency as fee_currency, platform_fee_base as fee_units, token_decimals::int as fee_decimals, exchange_rate::text as exchange_rate,
      chain, tx_hash, failure_reason, created_at, executed_at as completed_at`,
    table: sql`settlements`,
    externalId: sql`external_tx_id`,
  },
  withdrawal: {
    columns: sql`'withdrawal', id, partner_id, external_id, status,
      source_currency, source_amount_base, token_decimals::int,
      currency, amount_minor::numeric, 0,
      currency, fee_minor::numeric, 0, exchange_rate::text,
      chain, tx_hash, failure_reason, created_at, completed_at`,
    table: sql`withdrawals`,
    externalId: sql`external_id`,
  },
  topup: {
    columns: sql`'topup', id, partner_id, external_id, status,
      currency, amount_minor::numeric, 0,
      destination_currency, destination_amount_base, token_decimals::int,
      currency, fee_minor::numeric, 0, exchange_rate::text,
      chain, tx_hash, failure_reason, created_at, completed_at`,
    table: sql`topups`,
    externalId: sql`external_id`,
  },
};

type TransactionPage = Pick<Walk, "position" | "limit"> & { skip: number };

/**
 * A page of all kinds of transactions after a position, newest first in a stable order. Each kind returns the ids of its newest by its own
 * index, as many as fit on a page. These are merged, and only the page's rows are read in full.
 */
export async function listTransactions(db: Database, filter: TransactionFilter, page: TransactionPage): Promise<PartnerTransaction[]> {
  const kinds = kindsOf(filter);
  const newest = kinds.map(
    (kind) => sql`(select id, created_at from ${kind.table} where ${matches(kind, filter)} and ${isBeyond(page)}
      order by created_at desc, id desc limit ${page.skip + page.limit})`,
  );
  const shown = kinds.map((kind) => sql`select ${kind.columns} from ${kind.table} where id = any(array(select id from page))`);
  // A single branch would keep its own column names, and only the settlements' are complete.
  const named = sql`select ${KINDS.settlement.columns} from settlements where false`;
  const rows = await db.execute<Row>(sql`
    with page as materialized (
      select id from (${sql.join(newest, sql` union all `)}) as newest order by created_at desc, id desc offset ${page.skip} limit ${page.limit}
    )
    select * from (${sql.join([named, ...shown], sql` union all `)}) as shown order by created_at desc, id desc`);
  return rows.map(fromRow);
}

/** The total that {@link listTransactions} lists: by indexes only, or in one pass for a status that most rows have. */
export async function countTransactions(db: Database, filter: TransactionFilter): Promise<number> {
  const counts = kindsOf(filter).map((kind) => sql`(select count(*) from ${kind.table} where ${matches(kind, filter)})`);
  const [counted] = await db.execute<{ total: number }>(sql`select (${sql.join(counts, sql` + `)})::int as total`);
  return counted?.total ?? 0;
}

function kindsOf({ type }: TransactionFilter) {
  return TRANSACTION_TYPES.filter((each) => type === undefined || type === each).map((each) => KINDS[each]);
}

function isBeyond({ position }: TransactionPage): SQL {
  if (position === null) return sql`true`;
  return sql`(created_at, id) < (${position.createdAt.toISOString()}::timestamptz, ${position.id}::text)`;
}

function matches({ externalId }: (typeof KINDS)[TransactionType], filter: TransactionFilter): SQL {
  const conditions = [
    sql`true`,
    ...(filter.partnerId === undefined ? [] : [sql`partner_id = ${filter.partnerId}`]),
    ...(filter.onlyPartnerId === undefined ? [] : [sql`partner_id = ${filter.onlyPartnerId}`]),
    // Written out, one of a closed set: a generic plan for any status would not use the partial index of rare ones.
    ...(filter.status === undefined ? [] : [sql.raw(`status = '${filter.status}'`)]),
    ...(filter.externalId === undefined ? [] : [sql`${externalId} = ${filter.externalId}`]),
    ...(filter.createdFrom === undefined ? [] : [sql`created_at >= ${filter.createdFrom.toISOString()}::timestamptz`]),
    ...(filter.createdTo === undefined ? [] : [sql`created_at < ${filter.createdTo.toISOString()}::timestamptz`]),
  ];
  return sql.join(conditions, sql` and `);
}

type Row = {
  id: string;
  type: TransactionType;
  partner_id: string;
  external_id: string | null;
  status: TransactionStatus;
  source_currency: string;
  source_units: string;
  source_decimals: number;
  destination_currency: string;
  destination_units: string;
  destination_decimals: number;
  fee_currency: string;
  fee_units: string;
  fee_decimals: number;
  exchange_rate: string;
  chain: string;
  tx_hash: string | null;
  failure_reason: string | null;
  created_at: string;
  completed_at: string | null;
};
function fromRow(row: Row): PartnerTransaction {
  return {
    type: row.type,
    id: row.id,
    partnerId: row.partner_id,
    externalId: row.external_id,
    status: row.status,
    source: { currency: row.source_currency, units: BigInt(row.source_units), decimals: row.source_decimals },
    destination: { currency: row.destination_currency, units: BigInt(row.destination_units), decimals: row.destination_decimals },
    fee: { currency: row.fee_currency, units: BigInt(row.fee_units), decimals: row.fee_decimals },
    exchangeRate: decimal(row.exchange_rate),
    chain: row.chain,
    txHash: row.tx_hash,
    failureReason: row.failure_reason,
    createdAt: new Date(row.created_at),
    completedAt: row.completed_at === null ? null : new Date(row.completed_at),
  };
}
