import { countTransactions, listTransactions as list, type TransactionFilter } from "#db/queries/partners/partner-transactions.ts";
import type { Page } from "#db/search.ts";
import { type Place, type Walk, walkPage } from "#domain/page.ts";
import type { PartnerTransaction } from "#domain/transaction.ts";
import type { Uses } from "#server/context.ts";

export type ListTransactions = { filter: TransactionFilter; skip: number; limit: number; position: Place | null };

/**
 * Settlements, withdrawals and top-ups in one list, newest first, beyond a place where one is named (contract, part 6). Without a partner
 * in the filter, everybody's. `older`: where the next page begins; null: this is the last.
 */
export async function listTransactions(
  ctx: Uses<"db">,
  { filter, skip, limit, position }: ListTransactions,
): Promise<Page<PartnerTransaction> & { older: Place | null }> {
  const read = (walk: Walk) => list(ctx.db, filter, { ...walk, skip });
  const { items, older } = await walkPage({ limit, position, direction: "older" }, read, (transaction) => transaction);
  return { items, older, total: await countTransactions(ctx.db, filter) };
}
