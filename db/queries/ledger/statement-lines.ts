import { and, asc, eq, gte, lt, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { bookings } from "#db/schema/bookings.ts";
import { topups, withdrawals } from "#db/schema/fiat-orders.ts";
import { ledgerEntries, ledgerPostings } from "#db/schema/ledger.ts";
import { settlements } from "#db/schema/settlements.ts";
import { firstId } from "#domain/ids.ts";
import type { Asset } from "#domain/ledger.ts";
import { balances } from "./ledger-balances.ts";

export type StatementKey = { partnerId: string; from: Date; to: Date };

/** The postings on a partner's accounts from one instant (inclusive) to another (exclusive), in business time, oldest first. */
export async function listStatementLines(db: Database, { partnerId, from, to }: StatementKey) {
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
      /** What the partner owes more (above zero) or less (below). */
      amount: ledgerPostings.amount,
      externalId: sql<
        string | null
      >`coalesce(${settlements.externalTxId}, ${withdrawals.externalId}, ${topups.externalId}, ${bookings.reference})`,
      booking: bookings.kind,
      txHash: sql<string | null>`coalesce(${settlements.txHash}, ${withdrawals.txHash}, ${topups.txHash})`,
    })
    .from(ledgerPostings)
    .innerJoin(ledgerEntries, and(eq(ledgerEntries.id, ledgerPostings.entryId), eq(ledgerEntries.phase, "posted")))
    .leftJoin(settlements, and(eq(ledgerEntries.cause, "settlement"), eq(settlements.id, ledgerEntries.causeId)))
    .leftJoin(withdrawals, and(eq(ledgerEntries.cause, "withdrawal"), eq(withdrawals.id, ledgerEntries.causeId)))
    .leftJoin(topups, and(eq(ledgerEntries.cause, "topup"), eq(topups.id, ledgerEntries.causeId)))
    .leftJoin(bookings, and(eq(ledgerEntries.cause, "booking"), eq(bookings.id, ledgerEntries.causeId)))
    .where(
      and(
        eq(ledgerPostings.partnerId, partnerId),
        gte(ledgerPostings.entryId, firstId("ledgerEntry", from)),
        lt(ledgerPostings.entryId, firstId("ledgerEntry", to)),
      ),
    )
    .orderBy(asc(ledgerPostings.currency), asc(ledgerPostings.chain), asc(ledgerEntries.at), asc(ledgerEntries.id));
  return rows.map(({ currency, chain, decimals, ...line }) => ({ ...line, asset: { currency, chain, decimals } }));
}

/** One posting to a partner's account, with how the partner calls what caused it. */
export type StatementLine = Awaited<ReturnType<typeof listStatementLines>>[number];

/** The balance of each of a partner's accounts just before an instant (business time). */
export async function listPartnerBalances(db: Database, partnerId: string, before: Date): Promise<{ asset: Asset; amount: bigint }[]> {
  const own = sql`partner_id = ${partnerId}::uuid`;
  const rows = await db.execute<Asset & { amount: string }>(sql`
    select currency, chain, decimals, amount::text from (${balances(own, sql`${firstId("ledgerEntry", before)}`)}) b`);
  return rows.map(({ currency, chain, decimals, amount }) => ({ asset: { currency, chain, decimals }, amount: BigInt(amount) }));
}
