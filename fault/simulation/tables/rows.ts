import type { ProviderEvent } from "#db/queries/fiat/provider-statement.ts";
import type { LapsingRow } from "#db/queries/transfers/lapsing-attempts.ts";
import type { Attempt } from "#db/queries/transfers/transactions.ts";
import type { Wallet } from "#db/queries/transfers/wallets.ts";
import type { CallbackState } from "#domain/callback.ts";
import type { EvmIntent } from "#domain/evm-intent.ts";
import type { ScopeHalt } from "#domain/halt-scope.ts";
import type { MemberOutcome } from "#domain/packed-transfers.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Topup } from "#domain/topup.ts";
import type { Transfer, WaitingKind } from "#domain/transfer.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";
import { EPOCH } from "#fault/simulation/scheduler.ts";
import { Table } from "#fault/simulation/store.ts";

/** The instants of leases and rests are those of the simulation, in milliseconds; what the domain knows is a date. */
export type TransferRow = {
  id: string;
  transfer: Transfer;
  dueAt: number | null;
  leaseUntil: number | null;
  leaseToken: string | null;
  restUntil: number | null;
  waitingKind: WaitingKind | null;
  orphanedSince: number | null;
};

/** A row of due work, as `db/lease.ts` knows it. */
export type LeasedRow = { id: string; leaseUntil: number | null; leaseToken: string | null };

/** An entry in the history of a transfer's owner. */
export type StoryRow = { id: string; ownerId: string; action: string; txHash: unknown };

export type CallbackRow = LeasedRow & {
  partnerId: string;
  subjectId: string;
  event: string;
  queue: string;
  url: string;
  body: string;
  series: number;
  nextNumber: number;
  state: CallbackState;
  /** Business time, like all instants of attempts. */
  dueAt: number | null;
};

export type CallbackAttemptRow = {
  id: string;
  callbackId: string;
  number: number;
  scheduledAt: number;
  sentAt: number;
  endedAt: number | null;
  errorKind: string | null;
};

/** An order of fiat, with the worker's columns. Its instants are business time, in milliseconds. */
export type OrderRow = LeasedRow & {
  order: Topup | Withdrawal;
  dueAt: number | null;
  acceptedAt: number | null;
  givenAt: number | null;
  tries: number;
  ambiguousSince: number | null;
  waitingReason: string | null;
};
export type ProviderEventRow = { id: string; event: ProviderEvent };

export type SettlementRow = { id: string; settlement: Settlement };
export type ApprovalRow = { id: string; settlementId: string };

export type WalletRow = { id: string; wallet: Wallet; leaseUntil: number | null };

export type TransactionRow = {
  id: string;
  transferId: string;
  walletId: string;
  nonce: number;
  intent: EvmIntent;
  intentHash: string;
  lookAt: number;
  bumpAt: number;
  spentHeight: number | null;
  isSuperseded: boolean;
};

/** A payment of a packed transaction: its id is the payment's. */
export type MemberRow = { id: string; packId: string; position: number; outcome: MemberOutcome | null; logIndex: number | null };

/** Of a chain whose payments lapse. `lookAt`: as other leases, in milliseconds. */
export type LapsingAttemptRow = { id: string; lookAt: number; attempt: LapsingRow };
export type AttemptRow = { id: string; attempt: Attempt };
export type CursorRow = { id: string; chain: string; height: number; hash: string };
export type HaltRow = { id: string; halt: ScopeHalt };
/** A nonce that was spent without a payment, and whose block is gone: its id is the transaction's. */
export type PlaceRow = { id: string; transferId: string; walletId: string };
export type FeeRow = {
  id: string;
  fee: { id: string; hash: string; chain: string; transferId: string; blockNumber: number; feeBase: bigint };
};
/** The owner of a transfer was notified of its end. */
export type AnnouncementRow = { id: string; transferId: string; state: string };

export type SigningJournalRow = { id: string; installation: string; begunAt: Date | null; records: number };

/** The tables of one history, with the constraints that matter (docs/decisions/execution.md). */
export function makeTables() {
  return {
    transfers: new Table<TransferRow>("transfers", ({ transfer }) => [`${transfer.purpose} ${transfer.ownerId}`]),
    wallets: new Table<WalletRow>("wallets", ({ wallet }) => [`${wallet.chain} ${wallet.address}`]),
    transactions: new Table<TransactionRow>("transactions", ({ walletId, nonce, transferId, isSuperseded }) =>
      isSuperseded ? [`nonce ${walletId} ${nonce}`] : [`nonce ${walletId} ${nonce}`, `standing ${transferId}`],
    ),
    members: new Table<MemberRow>("pack_members", ({ packId, position, logIndex }) =>
      logIndex === null ? [`place ${packId} ${position}`] : [`place ${packId} ${position}`, `log ${packId} ${logIndex}`],
    ),
    attempts: new Table<AttemptRow>("attempts", ({ attempt }) => [attempt.hash, `${attempt.transactionId} ${attempt.number}`]),
    lapsingAttempts: new Table<LapsingAttemptRow>("lapsing_attempts", ({ attempt: { id, transferId, number, state } }) =>
      state === "failed" || state === "lapsed" ? [id, `${transferId} ${number}`] : [id, `${transferId} ${number}`, `valid ${transferId}`],
    ),
    cursors: new Table<CursorRow>("cursors"),
    halts: new Table<HaltRow>("halts", ({ halt }) => (halt.lift === null ? [`${halt.scope.kind} ${halt.scope.key}`] : [])),
    fees: new Table<FeeRow>("fees"),
    places: new Table<PlaceRow>("adrift_places"),
    proofs: new Table<{ id: string }>("transfer_proofs"),
    story: new Table<StoryRow>("audit_entries"),
    signingJournal: new Table<SigningJournalRow>("signing_journal"),
    announced: new Table<AnnouncementRow>("announced"),
    callbacks: new Table<CallbackRow>("callbacks", ({ subjectId, event }) => [`${subjectId} ${event}`]),
    settlements: new Table<SettlementRow>("settlements", ({ settlement }) =>
      settlement.externalTxId === null ? [] : [`${settlement.partnerId} ${settlement.externalTxId}`],
    ),
    topups: new Table<OrderRow>("topups"),
    withdrawals: new Table<OrderRow>("withdrawals"),
    providerEvents: new Table<ProviderEventRow>("provider_events"),
    approvals: new Table<ApprovalRow>("approvals"),
    callbackAttempts: new Table<CallbackAttemptRow>("callback_attempts"),
  };
}
export type Tables = ReturnType<typeof makeTables>;

let kept = makeTables();
/** The tables that the service's statements of this moment work on: one history at a time. */
export const tables = () => kept;
export function layTables(fresh: Tables): void {
  kept = fresh;
  business.aheadMs = 0;
  business.lineBeganAt = null;
}

/**
 * `aheadMs`: how far business time is ahead of real time: the sandbox's clock, which a history of hours moves. `lineBeganAt`: when the database
 * was put back; null: it was not.
 */
export const business = { aheadMs: 0, lineBeganAt: null as number | null };

export const dateOf = (now: number) => new Date(EPOCH + now);
