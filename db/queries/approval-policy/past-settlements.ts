import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { fromRaw, type Raw } from "#db/columns.ts";
import { layoutOf } from "#db/transaction.ts";
import type { PolicyHint } from "#domain/policy-rule.ts";
import { hintsFound } from "./hints.ts";

/** A settlement as it was quoted, with what was known of it then, and what it waited for. */
export type PastSettlement = {
  id: string;
  createdAt: Date;
  partnerId: string;
  partnerName: string;
  externalMerchantId: string;
  sourceCurrency: string;
  destinationCurrency: string;
  chain: string;
  sourceAmountMinor: bigint;
  destinationAmountBase: bigint;
  tokenDecimals: number;
  /** Of the terms under which it was quoted. */
  maximumSourceMinor: bigint;
  twoApprovalsAboveMinor: bigint | null;
  /** It waited for people, for whatever reason. */
  waited: boolean;
  /** It was beyond an exposure limit. */
  wasBeyondLimit: boolean;
  /** How many people its policy asked for; null: it asked for nothing. */
  demanded: number | null;
  hints: PolicyHint[];
};

type Period = { from: Date; to: Date; limit: number };
/** `after`: only those older than that one. */
export type PastPeriod = Period & { hints: readonly PolicyHint[]; after: { createdAt: Date; id: string } | null };

const within = ({ from, to }: Period) =>
  sql`s.created_at >= ${from.toISOString()}::timestamptz and s.created_at < ${to.toISOString()}::timestamptz`;

/** How many settlements a period has, up to the limit. */
export async function countPastSettlements(db: Database, period: Period): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from (select 1 from settlements s where ${within(period)} limit ${period.limit}) counted`);
  return row?.count ?? 0;
}

const WANTED = sql`s.id, s.created_at as at, s.partner_id, s.external_merchant_id as merchant, s.wallet_address as wallet, s.source_amount_minor as amount_minor,
        s.source_currency as currency, s.api_key_id, s.destination_currency, s.chain, s.token_decimals, s.approval_state`;
const ofPeriod = ({ after, ...period }: Asked) => sql`select ${WANTED}
      from settlements s where ${within(period)}
        ${after === null ? sql`` : sql`and (s.created_at, s.id) < (${after.createdAt.toISOString()}::timestamptz, ${after.id})`}`;
const SHOWN = sql`q.id, q.at as "createdAt", q.partner_id as "partnerId", p.name as "partnerName", q.merchant as "externalMerchantId",
      q.currency as "sourceCurrency", q.destination_currency as "destinationCurrency", q.chain, q.amount_minor::text as "sourceAmountMinor",
      quote.destination_amount_base::text as "destinationAmountBase", q.token_decimals as "tokenDecimals",
      t.maximum_source_minor::text as "maximumSourceMinor", t.two_approvals_above_minor::text as "twoApprovalsAboveMinor",
      q.approval_state is not null as waited`;
const BEYOND = sql`exists (select 1 from payment_verdicts v where v.owner_id = q.id and v.purpose = 'settlement' and v.stage = 'quote') as "wasBeyondLimit"`;

/** The newest settlements of a period, as they were at their quotes, with only the requested hints. */
export async function listPastSettlements(db: Database, { hints, ...period }: PastPeriod): Promise<PastSettlement[]> {
  const asked = sql`array(select jsonb_array_elements_text(${JSON.stringify(hints)}::jsonb))`;
  const found = sql`${hints.length === 0 ? sql`'{}'::text[]` : hintsFound(asked, layoutOf(db))} as hints`;
  const rows = await (layoutOf(db) === "citus" ? readOnNodes(db, period, found) : readAtOnce(db, period, found));
  const integers = ["sourceAmountMinor", "destinationAmountBase", "maximumSourceMinor", "twoApprovalsAboveMinor"] as const;
  return rows.map((row) => fromRaw<PastSettlement>(row, { instants: ["createdAt"], integers }));
}

type Asked = Omit<PastPeriod, "hints">;

async function readAtOnce(db: Database, period: Asked, hints: SQL): Promise<Raw<PastSettlement>[]> {
  return await db.execute<Raw<PastSettlement>>(sql`
    with q as materialized (
      ${ofPeriod(period)}
      order by s.created_at desc, s.id desc limit ${period.limit})
    select ${SHOWN},
      ${BEYOND},
      (select d.approvals from approval_demands d where d.settlement_id = q.id) as demanded,
      ${hints}
    from q cross join lateral (select n.destination_amount_base, n.pair_terms_id from settlement_quotes n where n.settlement_id = q.id and n.version = 1) as quote
    join pair_terms t on t.id = quote.pair_terms_id join partners p on p.id = q.partner_id
    order by q.at desc, q.id desc`);
}

type Facts = Pick<PastSettlement, "id" | "wasBeyondLimit" | "hints">;

/** On Citus: first what the nodes have, then what the coordinator knows of those. */
async function readOnNodes(db: Database, period: Asked, hints: SQL): Promise<Raw<PastSettlement>[]> {
  const rows = await db.execute<Raw<PastSettlement> & { asked: string }>(sql`
    select ${SHOWN}, to_json(q)::text as asked,
      (select d.approvals from approval_demands d where d.settlement_id = q.id and d.partner_id = q.partner_id) as demanded
    from (${ofPeriod(period)}) q
      join settlement_quotes quote on quote.partner_id = q.partner_id and quote.settlement_id = q.id and quote.version = 1
      join pair_terms t on t.id = quote.pair_terms_id join partners p on p.id = q.partner_id
    order by q.at desc, q.id desc limit ${period.limit}`);
  const known = await db.execute<Facts>(sql`
    select q.id, ${BEYOND}, ${hints} from json_to_recordset(${`[${rows.map(({ asked }) => asked).join()}]`}::json)
      as q(id text, at timestamptz, partner_id uuid, merchant text, wallet text, amount_minor bigint, currency text, api_key_id uuid)`);
  const facts = new Map(known.map((each) => [each.id, each]));
  return rows.map(({ asked: _, ...row }) => ({ ...row, ...facts.get(row.id) }));
}
