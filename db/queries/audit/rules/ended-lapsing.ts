import { and, asc, eq, gt, gte, inArray } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { listNetworkFees, type NetworkFee } from "#db/queries/ledger/network-fees.ts";
import type { LapsingRow } from "#db/queries/transfers/lapsing-attempts.ts";
import { toTransfer } from "#db/queries/transfers/transfers.ts";
import { lapsingAttempts } from "#db/schema/lapsing-attempts.ts";
import { transfers } from "#db/schema/transfers.ts";
import { firstId } from "#domain/ids.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { AuditScope } from "./rule.ts";

/** A transfer that is over on a chain whose payments lapse, with every attempt that was signed for it. `fee`: what its end cost. */
export type EndedLapsing = { transfer: Transfer; attempts: readonly LapsingRow[]; fee: NetworkFee | null };

/** Executed and failed transfers of a chain with an id above one, in the order of ids; with `endedSince`, those that ended since then. */
export async function listEndedLapsing(
  db: Database,
  page: { chain: string; scope: AuditScope; endedSince: Date | null; after: string | null; limit: number },
): Promise<EndedLapsing[]> {
  const from = page.after ?? (page.scope === null ? "" : firstId("transfer", page.scope));
  const rows = await db
    .select()
    .from(transfers)
    .where(
      and(
        eq(transfers.chain, page.chain),
        inArray(transfers.state, ["executed", "failed"]),
        gt(transfers.id, from),
        page.endedSince === null ? undefined : gte(transfers.updatedAt, page.endedSince),
      ),
    )
    .orderBy(asc(transfers.id))
    .limit(page.limit);
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
