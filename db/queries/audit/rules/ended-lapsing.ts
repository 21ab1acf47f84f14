import { asc, inArray } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { listNetworkFees, type NetworkFee } from "#db/queries/ledger/network-fees.ts";
import type { LapsingRow } from "#db/queries/transfers/lapsing-attempts.ts";
import { toTransfer } from "#db/queries/transfers/transfers.ts";
import { lapsingAttempts } from "#db/schema/lapsing-attempts.ts";
import type { Transfer } from "#domain/transfer.ts";
import { type EndedPage, listEndedRows } from "./ended-transfers.ts";

/** A transfer that is over on a chain whose payments lapse, with every attempt that was signed for it. `fee`: what its end cost. */
export type EndedLapsing = { transfer: Transfer; attempts: readonly LapsingRow[]; fee: NetworkFee | null };

/** Executed and failed transfers, in the order of ids. */
export async function listEndedLapsing(db: Database, page: EndedPage): Promise<EndedLapsing[]> {
  const rows = await listEndedRows(db, page);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const attempts = await db
    .select()
    .from(lapsingAttempts)
    .where(inArray(lapsingAttempts.transferId, ids))
    .orderBy(asc(lapsingAttempts.transferId), asc(lapsingAttempts.number));
  const byTransfer = Map.groupBy(attempts, ({ transferId }) => transferId);
  const ends = rows.flatMap(({ txHash }) => (txHash === null ? [] : [txHash]));
  const fees = new Map((await listNetworkFees(db, ends)).map((fee) => [fee.hash, fee]));
  return rows.map((row) => ({
    transfer: toTransfer(row),
    attempts: byTransfer.get(row.id) ?? [],
    fee: fees.get(row.txHash ?? "") ?? null,
  }));
}
