import { and, asc, eq, isNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Database } from "#db/client.ts";
import { sumFeesOf } from "#db/queries/ledger/network-fees.ts";
import { toTransfer } from "#db/queries/transfers/transfers.ts";
import { whetherSuperseded } from "#db/queries/transfers/whether-superseded.ts";
import { among } from "#db/rows.ts";
import { auditEntries } from "#db/schema/audit-log.ts";
import { chainHeads } from "#db/schema/chains.ts";
import { lapsingAttempts } from "#db/schema/lapsing-attempts.ts";
import { packMembers } from "#db/schema/pack-members.ts";
import { pairTerms } from "#db/schema/rates.ts";
import { settlementQuotes } from "#db/schema/settlement-quotes.ts";
import { transactionAttempts } from "#db/schema/transaction-attempts.ts";
import { transactions } from "#db/schema/transactions.ts";
import { transfers } from "#db/schema/transfers.ts";
import { wallets } from "#db/schema/wallets.ts";
import type { MeteredUse } from "#domain/lapsing-report.ts";
import { shareOf } from "#domain/packed-transfers.ts";
import type { Quote } from "#domain/settlement.ts";
import type { Transfer, TransferPurpose } from "#domain/transfer.ts";

/** The history of one settlement, from every table about it. */

/** Every price it had, oldest first. */
export async function listQuotes(db: Database, settlementId: string): Promise<Quote[]> {
  const rows = await db
    .select()
    .from(settlementQuotes)
    .where(eq(settlementQuotes.settlementId, settlementId))
    .orderBy(asc(settlementQuotes.version));
  return rows.map(({ settlementId: _, partnerId: _of, ...quote }) => quote);
}

/** The maximum of the terms that a price was made under, in source minor units. */
export async function findMaximumOf(db: Database, pairTermsId: string): Promise<bigint | null> {
  const [row] = await db.select({ maximum: pairTerms.maximumSourceMinor }).from(pairTerms).where(eq(pairTerms.id, pairTermsId));
  return row?.maximum ?? null;
}

export type HistoryEntry = {
  id: string;
  at: Date;
  action: string;
  objectId: string;
  actorType: string;
  /** The person's or the key's name; null for the system. */
  actorName: string | null;
  reason: string | null;
  change: Record<string, unknown>;
  requestId: string | null;
};

/** The audit log's entries about these objects, oldest first, with the names of those who acted; where a partner is named, what is its to see. */
export async function listHistory(db: Database, objectIds: readonly string[], partnerId?: string): Promise<HistoryEntry[]> {
  if (objectIds.length === 0) return [];
  const actor = sql`${auditEntries.actorId}`;
  return await db
    .select({
      id: auditEntries.id,
      at: auditEntries.at,
      action: auditEntries.action,
      objectId: auditEntries.objectId,
      actorType: auditEntries.actorType,
      actorName: sql<string | null>`case ${auditEntries.actorType}
        when 'user' then (select name from users where id::text = ${actor})
        when 'system' then null
        else (select name from api_keys where id::text = ${actor}) end`,
      reason: auditEntries.reason,
      change: auditEntries.change,
      requestId: auditEntries.requestId,
    })
    .from(auditEntries)
    .where(
      and(
        sql`${auditEntries.objectId} in (select jsonb_array_elements_text(${JSON.stringify(objectIds)}::jsonb))`,
        partnerId === undefined ? undefined : eq(auditEntries.partnerId, partnerId),
      ),
    )
    .orderBy(asc(auditEntries.id))
    .limit(500);
}

export type Payment = {
  transfer: Transfer;
  /** The block in which it was final is gone from the chain. */
  isOrphaned: boolean;
  updatedAt: Date;
  wallet: string | null;
  nonce: number | null;
  /** The chain's height as the worker last saw it. */
  height: number | null;
  /** The fees of its final transactions, in base units of the chain's coin; null: none is final. Of a packed transaction, its share. */
  feeBase: bigint | null;
  /** The token that they are paid in; null: the coin. */
  feeToken: string | null;
  /** How many payments its packed transaction makes; null: it has one of its own. */
  packedWith: number | null;
  /** The age of the newest block that the worker knows, in seconds of real time. */
  headAgeSeconds: number | null;
  attempts: {
    hash: string;
    number: number;
    kind: "payment" | "cancellation";
    /** null where payments lapse: `feeAtMost` says what it may cost. */
    maxFeePerGas: bigint | null;
    gasLimit: bigint | null;
    feeAtMost: bigint | null;
    /** Where payments lapse, what it used of what the chain meters; null: it is not final, or nothing is known. */
    used: MeteredUse | null;
    signedAt: Date;
    broadcastAt: Date | null;
  }[];
};

const packs = alias(transfers, "pack");
/** How many payments a packed transaction makes. */
const MEMBERS = sql<number>`(select count(*)::int from pack_members own where own.pack_id = ${packMembers.packId})`;

/**
 * The transfer of a purpose and a settlement, order or deployment, with every signed attempt, including superseded ones; null: there is
 * none yet. A payment in a packed transaction has that one's wallet, nonce and attempts, and while it is under way, how far that one has come.
 */
export async function findPayment(db: Database, purpose: TransferPurpose, ownerId: string): Promise<Payment | null> {
  const isCarried = or(isNull(packMembers.outcome), eq(packMembers.outcome, "paid"));
  const [row] = await db
    .select({
      transfer: transfers,
      pack: packs,
      packId: packMembers.packId,
      packedWith: MEMBERS,
      wallet: wallets.address,
      nonce: transactions.nonce,
      height: chainHeads.height,
      headAgeSeconds: sql<number | null>`floor(extract(epoch from clock_timestamp() - ${chainHeads.blockAt}))::int`,
    })
    .from(transfers)
    .leftJoin(packMembers, and(eq(packMembers.transferId, transfers.id), isCarried))
    .leftJoin(packs, eq(packs.id, packMembers.packId))
    .leftJoin(
      transactions,
      and(sql`${transactions.transferId} = coalesce(${packMembers.packId}, ${transfers.id})`, isNull(transactions.supersededAt)),
    )
    .leftJoin(wallets, eq(wallets.id, transactions.walletId))
    .leftJoin(chainHeads, eq(chainHeads.chain, transfers.chain))
    .where(and(eq(transfers.purpose, purpose), eq(transfers.ownerId, ownerId)));
  if (row === undefined) return null;
  const { transfer, pack, packId, packedWith, ...rest } = row;
  const { hash, number, kind, maxFeePerGas, gasLimit, signedAt, broadcastAt } = transactionAttempts;
  const attempts = await db
    .select({ hash, number, kind, maxFeePerGas, gasLimit, signedAt, broadcastAt })
    .from(transactionAttempts)
    .innerJoin(transactions, eq(transactions.id, transactionAttempts.transactionId))
    .where(and(eq(transactions.transferId, packId ?? transfer.id), whetherSuperseded()))
    .orderBy(asc(transactions.createdAt), asc(number));
  const lapsing = attempts.length === 0 ? await listLapsingOf(db, [transfer.id, ...(packId === null ? [] : [packId])]) : [];
  const feeBase = await sumFeesOf(db, packId ?? transfer.id);
  const shown = transfer.state === "packed" && pack !== null ? carried(toTransfer(transfer), toTransfer(pack)) : toTransfer(transfer);
  const about = { ...rest, transfer: shown, isOrphaned: transfer.orphanedSince !== null, updatedAt: transfer.updatedAt };
  const [newest] = lapsing.slice(-1);
  if (newest !== undefined) {
    const { wallet, feeToken } = newest;
    const shownAttempts = lapsing.map(({ wallet: _wallet, feeToken: _token, ...attempt }) => ({
      ...attempt,
      kind: "payment" as const,
      maxFeePerGas: null,
      gasLimit: null,
    }));
    const share = packId === null ? feeBase : feeBase && shareOf(feeBase, packedWith);
    return { ...about, wallet, feeBase: share, feeToken, packedWith: packId === null ? null : packedWith, attempts: shownAttempts };
  }
  const gas = { feeToken: null, attempts: attempts.map((attempt) => ({ ...attempt, feeAtMost: null, used: null })) };
  if (packId === null) return { ...about, ...gas, feeBase, packedWith: null };
  return { ...about, ...gas, feeBase: feeBase && shareOf(feeBase, packedWith), packedWith };
}

/** The attempts of a payment on a chain whose payments lapse, in their order. */
async function listLapsingOf(db: Database, transferIds: readonly string[]) {
  const { id: hash, number, feeToken, feeAtMost, used, signedAt, sentAt: broadcastAt } = lapsingAttempts;
  return await db
    .select({ hash, number, feeToken, feeAtMost, used, signedAt, broadcastAt, wallet: wallets.address })
    .from(lapsingAttempts)
    .innerJoin(wallets, eq(wallets.id, lapsingAttempts.walletId))
    .where(among(lapsingAttempts.transferId, transferIds))
    .orderBy(asc(lapsingAttempts.signedAt), asc(number));
}

/** How far its packed transaction has come, and what that one waits for. */
function carried(payment: Transfer, { state, txHash, blockNumber, blockHash, waitingReason, reviewReason }: Transfer): Transfer {
  const reason = waitingReason ?? payment.waitingReason;
  return { ...payment, state, txHash, blockNumber, blockHash, waitingReason: reason, reviewReason };
}
