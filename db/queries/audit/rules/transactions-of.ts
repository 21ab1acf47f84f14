import { type SQL, sql } from "drizzle-orm";

/** All transactions of a transfer. Both indexes that find them are partial, so each half is read through its own, and no slice reads the whole table. */
export const transactionsOf = (
  transferId: SQL,
): SQL => sql`(select * from transactions where transfer_id = ${transferId} and superseded_at is null
  union all select * from transactions where transfer_id = ${transferId} and superseded_at is not null)`;
