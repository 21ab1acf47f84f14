import { and, asc, eq, gte, lt, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { ledgerEntries } from "#db/schema/ledger-entries.ts";
import { ledgerPostings } from "#db/schema/ledger-postings.ts";
import { settlements } from "#db/schema/settlements.ts";
import { topups } from "#db/schema/topups.ts";
import { withdrawals } from "#db/schema/withdrawals.ts";
import type { Asset, LedgerCause, LedgerStep } from "#domain/ledger.ts";

/** One posting to a partner's account, with how the partner calls what caused it. */
export type StatementLine = {
  entryId: string;
  at: Date;
  asset: Asset;
  /** What the partner owes more (above zero) or less (below). */
  amount: bigint;
  cause: LedgerCause;
  causeId: string;
  step: LedgerStep;
  externalId: string | null;
  txHash: string | null;
};

export type StatementKey = { partnerId: string; from: Date; to: Date };

/** What was posted to a partner's accounts from one instant (inclusive) to another (exclusive), in business time, oldest first. */
export async function listStatementLines(db: Database, { partnerId, from, to }: StatementKey): Promise<StatementLine[]> {
  const rows = await db
    .select({
      entryId: ledgerEntries.id,
      at: ledgerEntries.at,
      cause: ledgerEntries.cause,
      causeId: ledgerEntries.causeId,
      step: ledgerEntries.step,
      currency: ledgerPostings.currency,
      chain: ledgerPostings.chain,
      decimals: ledgerPostings.decimals,
      amount: ledgerPostings.amount,
      externalId: sql<string | null>`coalesce(${settlements.externalTxId}, ${withdrawals.externalId}, ${topups.externalId})`,
      txHash: sql<string | null>`coalesce(${settlements.txHash}, ${withdrawals.txHash}, ${topups.txHash})`,
    })
    .from(ledgerPostings)
    .innerJoin(ledgerEntries, and(eq(ledgerEntries.id, ledgerPostings.entryId), eq(ledgerEntries.phase, "posted")))
    .leftJoin(settlements, and(eq(ledgerEntries.cause, "settlement"), eq(settlements.id, ledgerEntries.causeId)))
    .leftJoin(withdrawals, and(eq(ledgerEntries.cause, "withdrawal"), eq(withdrawals.id, ledgerEntries.causeId)))
    .leftJoin(topups, and(eq(ledgerEntries.cause, "topup"), eq(topups.id, ledgerEntries.causeId)))
    .where(and(eq(ledgerPostings.partnerId, partnerId), gte(ledgerEntries.at, from), lt(ledgerEntries.at, to)))
    .orderBy(asc(ledgerPostings.currency), asc(ledgerPostings.chain), asc(ledgerEntries.at), asc(ledgerEntries.id));
  return rows.map(({ currency, chain, decimals, ...line }) => ({ ...line, asset: { currency, chain, decimals } }));
}

/** What each account of a partner came to just before an instant. */
export async function listPartnerBalances(db: Database, partnerId: string, before: Date): Promise<{ asset: Asset; amount: bigint }[]> {
  const rows = await db
    .select({
      currency: ledgerPostings.currency,
      chain: ledgerPostings.chain,
      decimals: ledgerPostings.decimals,
      amount: sql<string>`sum(${ledgerPostings.amount})::text`,
    })
    .from(ledgerPostings)
    .innerJoin(ledgerEntries, and(eq(ledgerEntries.id, ledgerPostings.entryId), eq(ledgerEntries.phase, "posted")))
    .where(and(eq(ledgerPostings.partnerId, partnerId), lt(ledgerEntries.at, before)))
    .groupBy(ledgerPostings.currency, ledgerPostings.chain, ledgerPostings.decimals);
  return rows.map(({ amount, ...asset }) => ({ asset, amount: BigInt(amount) }));
}
