import { and, asc, eq, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { type Claim, claimDue, leaseIsFree } from "#db/lease.ts";
import { among, updateRows } from "#db/rows.ts";
import { transfers } from "#db/schema/transfers.ts";
import { wakeWorkers } from "#db/wake-workers.ts";
import { isOpenTransfer, type Transfer, type TransferPurpose, type WaitingKind } from "#domain/transfer.ts";
import { isNotLeft, type Left } from "./left-transfers.ts";
import { hasNoOrphanedNonce } from "./orphaned-nonces.ts";
import { unfinished } from "./unfinished.ts";

type Row = typeof transfers.$inferSelect;

/** Wakes the workers when the transaction commits. */
export async function wakeTransfers(tx: Database): Promise<void> {
  await wakeWorkers(tx, "transfers");
}

export async function findTransfer(db: Database, id: string): Promise<Transfer | null> {
  const rows = await db.select().from(transfers).where(eq(transfers.id, id));
  return rows[0] ? toTransfer(rows[0]) : null;
}

/** Those of these transfers that exist. */
export async function listTransfers(db: Database, ids: readonly string[]): Promise<Transfer[]> {
  if (ids.length === 0) return [];
  return (await db.select().from(transfers).where(among(transfers.id, ids))).map(toTransfer);
}

export async function findTransferOf(db: Database, purpose: TransferPurpose, ownerId: string): Promise<Transfer | null> {
  const rows = await db
    .select()
    .from(transfers)
    .where(and(eq(transfers.purpose, purpose), eq(transfers.ownerId, ownerId)));
  return rows[0] ? toTransfer(rows[0]) : null;
}

/** Locks the row until the transaction ends: no other transaction moves the transfer meanwhile. */
export async function lockTransfer(tx: Database, id: string): Promise<Transfer | null> {
  return (await lockTransfers(tx, [id]))[0] ?? null;
}

/** Locks several in the order of their ids, as everybody does who locks more than one. `token`: only those that still have this lease. */
export async function lockTransfers(tx: Database, ids: readonly string[], token?: string): Promise<Transfer[]> {
  if (ids.length === 0) return [];
  const held = token === undefined ? undefined : eq(transfers.leaseToken, token);
  const rows = await tx
    .select()
    .from(transfers)
    .where(and(among(transfers.id, ids), held))
    .orderBy(asc(transfers.id))
    .for("update");
  return rows.map(toTransfer);
}

/** Stores what `advanceTransfer` made of locked transfers; whatever leases there were have done their service. */
export async function saveTransfers(tx: Database, moved: readonly Transfer[], now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  await updateRows(
    tx,
    transfers,
    moved.map((transfer) => ({
      id: transfer.id,
      state: transfer.state,
      waitingReason: transfer.waitingReason,
      reviewReason: transfer.reviewReason,
      failureReason: transfer.failureReason,
      txHash: transfer.txHash,
      blockNumber: transfer.blockNumber,
      blockHash: transfer.blockHash,
      cancelRequestedAt: transfer.cancelRequestedAt,
      bumpRequestedAt: transfer.bumpRequestedAt,
      executedAt: transfer.executedAt,
      dueAt: isOpenTransfer(transfer.state) ? now : null,
      leaseUntil: null,
      leaseToken: null,
      restUntil: null,
      updatedAt: now,
    })),
    {
      waitingKind: sql`case when n.state = 'needs_review' then 'review' when n.waiting_reason is not null then t.waiting_kind end`,
      waitingSince: sql`case when n.state = 'needs_review' and t.waiting_kind is distinct from 'review' then ${at}
        when n.state = 'needs_review' or n.waiting_reason is not null then t.waiting_since end`,
      dueAt: sql`case when n.due_at is not null then coalesce(t.due_at, n.due_at) end`,
    },
  );
}

export async function saveTransfer(tx: Database, transfer: Transfer, now: Date): Promise<void> {
  await saveTransfers(tx, [transfer], now);
}

export type TransferClaim = Omit<Claim, "only"> & {
  chain: string;
  /** The wallets that this worker has leased, and all that it is configured with. */
  wallets: { held: readonly string[]; known: readonly string[] };
  /** Transfers left to other workers, whose wallets can pay them. */
  left?: readonly Left[];
};

/**
 * Leases queued transfers, oldest first. It skips postponed ones (for example because the treasury is empty), and those that only a wallet
 * of another worker may pay.
 */
export async function claimQueuedTransfers(db: Database, { chain, wallets, left = [], ...claim }: TransferClaim): Promise<Transfer[]> {
  const only = and(
    eq(transfers.chain, chain),
    eq(transfers.state, "queued"),
    isRested,
    isNotHeld,
    hasNoOrphanedNonce,
    or(isNull(transfers.callSender), isSender(wallets.held), sql`not ${isSender(wallets.known)}`),
    isNotLeft(left),
  );
  const ids = (await claimDue(db, "transfers", { ...claim, only })).map(({ id }) => id);
  // A worker that is frozen between the two statements has lost them: another one may have paid them meanwhile.
  const isClaimed = and(eq(transfers.state, "queued"), eq(transfers.leaseToken, claim.token));
  const rows = await db
    .select()
    .from(transfers)
    .where(and(among(transfers.id, ids), isClaimed))
    .orderBy(asc(transfers.id));
  return rows.map(toTransfer);
}

/** Nobody has to decide on it first (`payment_holds`). */
const isNotHeld = sql`${transfers.waitingKind} is distinct from 'hold'`;

/** A blocked transfer has been left alone for the whole delay. */
const isRested = sql`(${transfers.restUntil} is null or ${transfers.restUntil} < (select clock_timestamp()))`;

function isSender(wallets: readonly string[]): SQL {
  const addresses = JSON.stringify(wallets.map((wallet) => wallet.toLowerCase()));
  return sql`(lower(${transfers.callSender}) in (select jsonb_array_elements_text(${addresses}::jsonb)))`;
}

/** Records why transfers make no progress, and postpones them (real time). Changes no state; final and held ones stay as they are. */
export async function restTransfers(db: Database, ids: readonly string[], rest: Rest): Promise<void> {
  if (ids.length === 0) return;
  // One instant for both columns: `clock_timestamp()` would be read twice.
  const until = sql`statement_timestamp() + ${rest.restMs} * interval '1 millisecond'`;
  await db
    .update(transfers)
    .set({
      ...(rest.kind === null ? { waitingReason: null, ...MOVES } : { waitingReason: rest.reason, ...waits(rest.kind) }),
      restUntil: until,
      // The previous release knows no other delay; from the next one on it is only a lease.
      leaseUntil: until,
      leaseToken: null,
    })
    .where(and(among(transfers.id, ids), isNotNull(transfers.dueAt), isNotHeld));
}
/** `kind` null: there is no trouble, it is only not its turn. */
export type Rest = { restMs: number } & ({ kind: WaitingKind; reason: string } | { kind: null });

const MOVES = { waitingKind: null, waitingSince: null } as const;

/** Since now, unless it has waited for the same already. */
function waits(kind: WaitingKind) {
  return {
    waitingKind: kind,
    waitingSince: sql`case when ${transfers.waitingKind} = ${kind} then ${transfers.waitingSince} else business_now() end`,
  };
}

/** Sets the same reason on every open transfer of a chain without its own, or clears it again. */
export async function recordChainTrouble(db: Database, chain: string, trouble: { reason: string } | { over: string }): Promise<void> {
  const open = and(eq(transfers.chain, chain), isNotNull(transfers.dueAt));
  if ("reason" in trouble) {
    await db
      .update(transfers)
      .set({ waitingReason: trouble.reason, ...waits("chain_unavailable") })
      .where(and(open, isNull(transfers.waitingReason)));
  } else {
    await db
      .update(transfers)
      .set({ waitingReason: null, ...MOVES })
      .where(and(open, eq(transfers.waitingReason, trouble.over)));
  }
}

/** Transfers in blocks up to a height, in chain order: they may have become final. Postponed ones are skipped. */
export async function listMinedTransfers(db: Database, chain: string, upToHeight: number, limit: number): Promise<Transfer[]> {
  const rows = await db
    .select()
    .from(transfers)
    .where(
      and(
        eq(transfers.chain, chain),
        isNotNull(transfers.dueAt),
        eq(transfers.state, "mined"),
        lte(transfers.blockNumber, upToHeight),
        leaseIsFree(),
        isRested,
      ),
    )
    .orderBy(asc(transfers.blockNumber))
    .limit(limit);
  return rows.map(toTransfer);
}

/** Transfers of a chain that nobody ever signed, or that wait for a person: an unknown transaction may have paid them. Oldest first. */
export async function listOpenPayments(db: Database, chain: string): Promise<Transfer[]> {
  const rows = await db
    .select()
    .from(transfers)
    .where(and(unfinished(), eq(transfers.chain, chain), inArray(transfers.state, ["queued", "needs_review"])))
    .orderBy(asc(transfers.id));
  return rows.map(toTransfer);
}

/** The unsigned amounts to be paid out of the treasury, per token (null: the native coin). */
export async function sumQueued(db: Database, chain: string): Promise<{ tokenAddress: string | null; owedBase: bigint }[]> {
  const rows = await db
    .select({ tokenAddress: transfers.tokenAddress, owedBase: sql<string>`sum(${transfers.amountBase})` })
    .from(transfers)
    .where(and(eq(transfers.chain, chain), isNotNull(transfers.dueAt), eq(transfers.state, "queued"), isNull(transfers.callData)))
    .groupBy(transfers.tokenAddress);
  return rows.map((row) => ({ tokenAddress: row.tokenAddress, owedBase: BigInt(row.owedBase) }));
}

export function toTransfer(row: Row): Transfer {
  const { callTo, callValueBase, callData, callSender, ...owed } = row;
  const { dueAt: _due, leaseUntil: _until, leaseToken: _token, restUntil: _rest, ...kept } = owed;
  const { orphanedSince: _adrift, updatedAt: _updated, waitingKind: _kind, waitingSince: _since, ...transfer } = kept;
  const sender = callSender === null ? {} : { sender: callSender };
  if (callData === null) return { ...transfer, call: null, ...sender };
  return { ...transfer, call: { to: callTo, valueBase: callValueBase ?? 0n, data: callData, ...sender } };
}
