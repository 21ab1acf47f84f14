import { asc, inArray } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { listNetworkFees, type NetworkFee } from "#db/queries/ledger/network-fees.ts";
import type { LapsingRow } from "#db/queries/transfers/lapsing-attempts.ts";
import { listMembers, listMemberships } from "#db/queries/transfers/pack-members.ts";
import { listTransferProofs, type TransferProof } from "#db/queries/transfers/transfer-proofs.ts";
import { toTransfer } from "#db/queries/transfers/transfers.ts";
import { lapsingAttempts } from "#db/schema/lapsing-attempts.ts";
import type { Transfer } from "#domain/transfer.ts";
import { type EndedPage, listEndedRows } from "./ended-transfers.ts";

/**
 * A transfer that is over on a chain whose payments lapse, with every attempt that was signed for it, also of a transaction that was to make
 * several payments. `proof`: of another transaction that paid it, by people's word. `fee`: what its end cost. `members`: the payments of such a transaction; null: it is one itself. `place`: where one of
 * several was paid.
 */
export type EndedLapsing = {
  transfer: Transfer;
  members: readonly Transfer[] | null;
  place: number | null;
  attempts: readonly LapsingRow[];
  proof: TransferProof | null;
  fee: NetworkFee | null;
};

/** Executed and failed transfers, in the order of ids. */
export async function listEndedLapsing(db: Database, page: EndedPage): Promise<EndedLapsing[]> {
  const rows = await listEndedRows(db, page);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const memberships = new Map((await listMemberships(db, ids)).map((member) => [member.transfer.id, member]));
  const packs = rows.flatMap(({ id, purpose }) => (purpose === "pack" ? [id] : []));
  const members = Map.groupBy(await listMembers(db, packs), ({ packId }) => packId);
  const attempts = await db
    .select()
    .from(lapsingAttempts)
    .where(inArray(lapsingAttempts.transferId, [...ids, ...[...memberships.values()].map(({ packId }) => packId)]))
    .orderBy(asc(lapsingAttempts.transferId), asc(lapsingAttempts.number));
  const byTransfer = Map.groupBy(attempts, ({ transferId }) => transferId);
  const proofs = new Map((await listTransferProofs(db, ids)).map((proof) => [proof.transferId, proof]));
  const ends = rows.flatMap(({ txHash }) => (txHash === null ? [] : [txHash]));
  const fees = new Map((await listNetworkFees(db, ends)).map((fee) => [fee.hash, fee]));
  return rows.map((row) => ({
    transfer: toTransfer(row),
    members: row.purpose === "pack" ? (members.get(row.id) ?? []).map(({ transfer }) => transfer) : null,
    place: memberships.get(row.id)?.logIndex ?? null,
    attempts: [...(byTransfer.get(memberships.get(row.id)?.packId ?? "") ?? []), ...(byTransfer.get(row.id) ?? [])],
    proof: proofs.get(row.id) ?? null,
    fee: fees.get(row.txHash ?? "") ?? null,
  }));
}
