import { and, asc, eq, gt, gte, inArray, isNull } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { listNetworkFees, type NetworkFee } from "#db/queries/ledger/network-fees.ts";
import { listMembers, listMemberships } from "#db/queries/transfers/pack-members.ts";
import { listPlacesInSuspense } from "#db/queries/transfers/suspense-lines.ts";
import { listProvedPlaces, listTransferProofs, type TransferProof } from "#db/queries/transfers/transfer-proofs.ts";
import { toTransfer } from "#db/queries/transfers/transfers.ts";
import { whetherSuperseded } from "#db/queries/transfers/whether-superseded.ts";
import { packMembers } from "#db/schema/pack-members.ts";
import { transactionAttempts } from "#db/schema/transaction-attempts.ts";
import { transactions } from "#db/schema/transactions.ts";
import { transfers } from "#db/schema/transfers.ts";
import { firstId } from "#domain/ids.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { AuditScope } from "./rule.ts";

/**
 * A transfer that is over, the hashes of every payment that was ever signed for it, what proved it, if the engine did not end it, and what its end cost.
 * `place`: where a packed transaction paid it, among its own logs. `claimed`: of a packed transaction, the logs that are a payment's, a
 * proof's or a line's in suspense; null: it packs nothing, or people still look at a payment of it.
 */
export type EndedTransfer = {
  transfer: Transfer;
  place: number | null;
  claimed: ReadonlySet<number> | null;
  payments: string[];
  proof: TransferProof | null;
  fee: NetworkFee | null;
};

/** Which transfers that are over: of a chain, with an id above one; with `endedSince`, those that ended since then. */
export type EndedPage = { chain: string; scope: AuditScope; endedSince: Date | null; after: string | null; limit: number };

/** The rows of executed and failed transfers, in the order of ids. */
export async function listEndedRows(db: Database, page: EndedPage): Promise<(typeof transfers.$inferSelect)[]> {
  const from = page.after ?? (page.scope === null ? "" : firstId("transfer", page.scope));
  return await db
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
}

/** Executed and failed transfers, in the order of ids. */
export async function listEndedTransfers(db: Database, page: EndedPage): Promise<EndedTransfer[]> {
  const rows = await listEndedRows(db, page);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const proofs = new Map((await listTransferProofs(db, ids)).map((proof) => [proof.transferId, proof]));
  const ends = rows.flatMap(({ txHash }) => (txHash === null ? [] : [txHash]));
  const fees = new Map((await listNetworkFees(db, ends)).map((fee) => [fee.hash, fee]));
  const attempts = await db
    .select({ transferId: transactions.transferId, hash: transactionAttempts.hash })
    .from(transactionAttempts)
    .innerJoin(transactions, eq(transactions.id, transactionAttempts.transactionId))
    .where(and(inArray(transactions.transferId, ids), whetherSuperseded(), eq(transactionAttempts.kind, "payment")));
  const packed = await db
    .select({ transferId: packMembers.transferId, hash: transactionAttempts.hash })
    .from(packMembers)
    .innerJoin(transactions, eq(transactions.transferId, packMembers.packId))
    .innerJoin(transactionAttempts, eq(transactionAttempts.transactionId, transactions.id))
    .where(and(inArray(packMembers.transferId, ids), isNull(transactions.supersededAt), eq(transactionAttempts.kind, "payment")));
  const byTransfer = Map.groupBy([...attempts, ...packed], ({ transferId }) => transferId);
  const memberships = new Map((await listMemberships(db, ids)).map((member) => [member.transfer.id, member]));
  const claims = await listClaims(
    db,
    rows.filter(({ purpose }) => purpose === "pack"),
  );
  return rows.map((row) => {
    const payments = (byTransfer.get(row.id) ?? []).map(({ hash }) => hash);
    const member = memberships.get(row.id);
    const place = member?.outcome === "paid" ? member.logIndex : null;
    const claimed = claims.get(row.id) ?? null;
    return {
      place,
      claimed,
      transfer: toTransfer(row),
      payments,
      proof: proofs.get(row.id) ?? null,
      fee: fees.get(row.txHash ?? "") ?? null,
    };
  });
}

/** Which logs of each packed transaction somebody claims. */
async function listClaims(db: Database, packs: readonly { id: string; chain: string; txHash: string | null }[]) {
  const members = Map.groupBy(
    await listMembers(
      db,
      packs.map(({ id }) => id),
    ),
    ({ packId }) => packId,
  );
  const claims = new Map<string, ReadonlySet<number>>();
  for (const { id, chain, txHash } of packs) {
    const own = members.get(id) ?? [];
    if (txHash === null || own.some(({ outcome, transfer }) => outcome === "unclear" && transfer.state === "needs_review")) continue;
    const proved = (await listProvedPlaces(db, chain, [txHash])).get(txHash) ?? [];
    const suspended = await listPlacesInSuspense(db, chain, txHash);
    const places = [...own.map(({ logIndex }) => logIndex), ...proved, ...suspended];
    claims.set(id, new Set(places.filter((place) => place !== null)));
  }
  return claims;
}
