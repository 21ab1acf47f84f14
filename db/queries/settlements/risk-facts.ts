import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { fromRaw, type Raw } from "#db/columns.ts";
import type { RiskEvidence, RiskFacts } from "#domain/risk-hint.ts";
import type { Settlement } from "#domain/settlement.ts";

/** The settlement that is judged; `maximumMinor` is that of the terms it was priced under. */
export type RiskSubject = Pick<
  Settlement,
  "id" | "partnerId" | "externalMerchantId" | "walletAddress" | "sourceCurrency" | "destinationCurrency" | "sourceAmountMinor" | "createdAt"
>;

const EVIDENCE = 10;
/** A merchant's newest settlements are enough to know what is usual. */
const MOST = 5_000;
/** Just under the maximum: from nine tenths of it. */
const NEAR = "0.9";

/** The facts around a settlement in one statement, from its partner's rows by merchant and by wallet; what came after it changes nothing. */
export async function readRiskFacts(db: Database, subject: RiskSubject): Promise<RiskFacts> {
  const at = sql`${subject.createdAt.toISOString()}::timestamptz`;
  const before = sql`s.partner_id = ${subject.partnerId}::uuid and s.id <> ${subject.id} and s.created_at <= ${at}`;
  const amount = sql`${subject.sourceAmountMinor.toString()}::bigint`;
  const wallet = sql`lower(${subject.walletAddress})`;
  const rows = await db.execute<Row>(sql`
    with of_merchant as materialized (
      select s.id, s.created_at, s.source_amount_minor, s.source_currency, s.destination_currency, s.chain, s.wallet_address, lower(s.wallet_address) = ${wallet} as same, s.pair_terms_id
      from settlements s where ${before} and s.external_merchant_id = ${subject.externalMerchantId}
      order by s.created_at desc limit ${MOST}
    ), to_wallet as materialized (
      select s.id, s.created_at, s.source_amount_minor, s.source_currency, s.destination_currency, s.chain, s.wallet_address, s.status, s.pair_terms_id
      from settlements s where ${before} and lower(s.wallet_address) = ${wallet} order by s.created_at desc limit ${MOST}
    ), since as (
      select coalesce((select min(created_at) from of_merchant where same), ${at}) as at
    ), usual as (
      select source_amount_minor from of_merchant
      where source_currency = ${subject.sourceCurrency} and created_at > ${at} - interval '30 days'
    ), near as (
      select distinct n.id, n.created_at, n.source_amount_minor, n.source_currency, n.wallet_address from (
        select id, created_at, source_amount_minor, source_currency, destination_currency, wallet_address, pair_terms_id from of_merchant
        union all select id, created_at, source_amount_minor, source_currency, destination_currency, wallet_address, pair_terms_id from to_wallet) n
      join pair_terms t on t.id = n.pair_terms_id
      where n.created_at > ${at} - interval '24 hours' and n.source_currency = ${subject.sourceCurrency} and n.destination_currency = ${subject.destinationCurrency}
        and n.source_amount_minor <= t.maximum_source_minor and n.source_amount_minor >= t.maximum_source_minor * ${NEAR}::numeric
    )
    select (select count(*)::int from to_wallet) as wallet_uses,
      (select count(*)::int from to_wallet where status = 'executed') as wallet_executed,
      (select at from since) as since,
      (select json_agg(${evidenceOf("o")}) from (select * from of_merchant where not same and created_at <= (select at from since)
        order by created_at desc limit ${EVIDENCE}) o) as other_wallets,
      (select percentile_disc(0.95) within group (order by source_amount_minor)::text from usual) as p95,
      (select count(*)::int from usual) as compared,
      (select json_agg(${evidenceOf("n")}) from (select * from near order by created_at desc limit ${EVIDENCE}) n) as near,
      (select json_agg(${evidenceOf("r")}) from (select * from of_merchant where same and source_amount_minor = ${amount}
        and source_currency = ${subject.sourceCurrency} and created_at >= ${at} - interval '10 minutes' order by created_at desc limit ${EVIDENCE}) r) as repeats`);
  const row = rows[0];
  if (row === undefined) throw new Error("a statement without a table answered nothing");
  return {
    walletUses: row.wallet_uses,
    walletExecuted: row.wallet_executed,
    merchantWalletSince: new Date(row.since),
    otherWallets: toEvidence(row.other_wallets),
    p95Minor: row.p95 === null ? null : BigInt(row.p95),
    compared: row.compared,
    justUnderMaximum: toEvidence(row.near),
    repeats: toEvidence(row.repeats),
  };
}

type Evidence = Raw<RiskEvidence>[] | null;
type Row = {
  wallet_uses: number;
  wallet_executed: number;
  since: string;
  other_wallets: Evidence;
  p95: string | null;
  compared: number;
  near: Evidence;
  repeats: Evidence;
};

function evidenceOf(alias: "o" | "n" | "r") {
  const of = sql.raw(alias);
  return sql`json_build_object('id', ${of}.id, 'at', ${of}.created_at, 'sourceAmountMinor', ${of}.source_amount_minor::text, 'sourceCurrency', ${of}.source_currency, 'walletAddress', ${of}.wallet_address)`;
}

function toEvidence(found: Evidence): RiskEvidence[] {
  return (found ?? []).map((each) => fromRaw<RiskEvidence>(each, { instants: ["at"], integers: ["sourceAmountMinor"] }));
}
