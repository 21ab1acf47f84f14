import { listTransactions as list, type TransactionFilter } from "#db/queries/partners/partner-transactions.ts";
import type { Page } from "#db/search.ts";
import type { PartnerTransaction } from "#domain/transaction.ts";
import type { Uses } from "#server/context.ts";

export type ListTransactions = { filter: TransactionFilter; skip: number; limit: number };

/** Settlements, withdrawals and top-ups in one list, newest first (contract, part 6). Without a partner in the filter, everybody's. */
export async function listTransactions(ctx: Uses<"db">, { filter, ...page }: ListTransactions): Promise<Page<PartnerTransaction>> {
  return await list(ctx.db, filter, page);
}
