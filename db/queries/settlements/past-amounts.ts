import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { MOST_PAST, type Past } from "#domain/past-amounts.ts";
import type { RiskSubject } from "./risk-facts.ts";

/** As in the facts of risk hints: a merchant's newest settlements are enough. */
const MOST = 5_000;

/** A settlement's past in one statement, from its partner's rows by merchant and by wallet; what came after it changes nothing. */
export async function readPastAmounts(db: Database, subject: RiskSubject): Promise<Past> {
  const at = sql`${subject.createdAt.toISOString()}::timestamptz`;
  const before = sql`s.partner_id = ${subject.partnerId}::uuid and s.id <> ${subject.id} and s.created_at <= ${at}`;
  const wallet = sql`lower(${subject.walletAddress})`;
  const newest = (rows: "of_merchant" | "to_wallet") =>
    sql`(select json_agg(n.amount) from (select amount from ${sql.raw(rows)} where source_currency = ${subject.sourceCurrency} order by created_at desc limit ${MOST_PAST}) n)`;
  const rows = await db.execute<Row>(sql`
    with of_merchant as materialized (
      select s.created_at, s.source_amount_minor::text as amount, s.source_currency, lower(s.wallet_address) as wallet
      from settlements s where ${before} and s.external_merchant_id = ${subject.externalMerchantId} order by s.created_at desc limit ${MOST}
    ), to_wallet as materialized (
      select s.created_at, s.source_amount_minor::text as amount, s.source_currency, s.status
      from settlements s where ${before} and lower(s.wallet_address) = ${wallet} order by s.created_at desc limit ${MOST}
    )
    select ${newest("of_merchant")} as merchant, ${newest("to_wallet")} as wallet,
      (select count(*)::int from to_wallet) as wallet_uses,
      (select count(*)::int from to_wallet where status = 'executed') as wallet_executed,
      (select count(distinct wallet)::int from of_merchant where wallet <> ${wallet}) as earlier_wallets`);
  const row = rows[0];
  if (row === undefined) throw new Error("a statement without a table answered nothing");
  return {
    merchant: (row.merchant ?? []).map(BigInt),
    wallet: (row.wallet ?? []).map(BigInt),
    walletUses: row.wallet_uses,
    walletExecuted: row.wallet_executed,
    earlierWallets: row.earlier_wallets,
  };
}

type Row = {
  merchant: string[] | null;
  wallet: string[] | null;
  wallet_uses: number;
  wallet_executed: number;
  earlier_wallets: number;
};
