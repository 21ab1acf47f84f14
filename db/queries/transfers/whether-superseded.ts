import { isNotNull, isNull, or, type SQL } from "drizzle-orm";
import { transactions } from "#db/schema/transactions.ts";

/**
 * Superseded or not, next to a condition on the transfers of transactions: both indexes that find them are partial. Without it, the whole table
 * is read.
 */
export const whetherSuperseded = (): SQL | undefined => or(isNull(transactions.supersededAt), isNotNull(transactions.supersededAt));
