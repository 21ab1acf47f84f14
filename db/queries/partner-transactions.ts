import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { PartnerTransaction, TransactionStatus, TransactionType } from "#server/domain/transaction.ts";
import type { Page } from "./search.ts";

export type TransactionFilter = {
  /** Left out: everybody's. */
  partnerId?: string;
  type?: TransactionType;
  status?: TransactionStatus;
  externalId?: string;
  /** Inclusive. */
  createdFrom?: Date;
  /** Exclusive. */
  createdTo?: Date;
};

/** Each kind in the same columns: fiat in minor units with 0 decimals, crypto in base units with the token's. */
const KINDS: Readonly<Record<TransactionType, SQL>> = {
  settlement: sql`select 'settlement' as type, id, partner_id, external_tx_id as external_id, status,
      source_currency, source_amount_minor::numeric as source_units, 0 as source_decimals,
      destination_currency, destination_amount_base as destination_units, token_decimals::int as destination_decimals,
      chain, tx_hash, failure_reason, created_at, executed_at as completed_at
    from settlements`,
  withdrawal: sql`select 'withdrawal', id, partner_id, external_id, status,
      source_currency, source_amount_base, token_decimals::int,
      currency, amount_minor::numeric, 0,
      chain, tx_hash, failure_reason, created_at, completed_at
    from withdrawals`,
  topup: sql`select 'topup', id, partner_id, external_id, status,
      currency, amount_minor::numeric, 0,
      destination_currency, destination_amount_base, token_decimals::int,
      chain, tx_hash, failure_reason, created_at, completed_at
    from topups`,
};

/**
 * A page of all kinds of transactions, newest first and in the same order each time. Filters stand outside of the union: the planner
 * pushes them into each kind, where their indexes are.
 */
export async function listTransactions(
  db: Database,
  filter: TransactionFilter,
  page: { skip: number; limit: number },
): Promise<Page<PartnerTransaction>> {
  const union = sql.join(Object.values(KINDS), sql` union all `);
  const rows = await db.execute<Row>(sql`
    with matching as (select * from (${union}) as each where ${sql.join(conditions(filter), sql` and `)}),
      page as (select * from matching order by created_at desc, id desc offset ${page.skip} limit ${page.limit})
    select counted.total, page.* from (select count(*)::int as total from matching) as counted left join page on true
    order by page.created_at desc, page.id desc`);
  const items = rows.flatMap((row) => (row.id === null ? [] : [fromRow({ ...row, id: row.id })]));
  return { items, total: rows[0]?.total ?? 0 };
}

function conditions(filter: TransactionFilter): SQL[] {
  return [
    sql`true`,
    ...(filter.partnerId === undefined ? [] : [sql`partner_id = ${filter.partnerId}`]),
    ...(filter.type === undefined ? [] : [sql`type = ${filter.type}`]),
    ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`]),
    ...(filter.externalId === undefined ? [] : [sql`external_id = ${filter.externalId}`]),
    ...(filter.createdFrom === undefined ? [] : [sql`created_at >= ${filter.createdFrom.toISOString()}::timestamptz`]),
    ...(filter.createdTo === undefined ? [] : [sql`created_at < ${filter.createdTo.toISOString()}::timestamptz`]),
  ];
}

type Columns = {
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
  chain: string;
  tx_hash: string | null;
  failure_reason: string | null;
  created_at: string;
  completed_at: string | null;
};
/** Where the page is empty, only the total is there. */
type Row = Columns & { total: number; id: string | null };

function fromRow(row: Columns & { id: string }): PartnerTransaction {
  return {
    type: row.type,
    id: row.id,
    partnerId: row.partner_id,
    externalId: row.external_id,
    status: row.status,
    source: { currency: row.source_currency, units: BigInt(row.source_units), decimals: row.source_decimals },
    destination: { currency: row.destination_currency, units: BigInt(row.destination_units), decimals: row.destination_decimals },
    chain: row.chain,
    txHash: row.tx_hash,
    failureReason: row.failure_reason,
    createdAt: new Date(row.created_at),
    completedAt: row.completed_at === null ? null : new Date(row.completed_at),
  };
}
