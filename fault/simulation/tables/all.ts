import { randomUUID } from "node:crypto";
import type { Database } from "#db/client.ts";
import { type Handle, statement, type Table, UniqueViolation } from "#fault/simulation/store.ts";
import { dueCallbackQueries } from "./callbacks.ts";
import { fiatWorkQueries, memberOfTopup, orderLeases, providerEventQueries, topupQueries, withdrawalQueries } from "./fiat-orders.ts";
import { lapsingQueries } from "./lapsing.ts";
import { memberQueries } from "./pack-members.ts";
import { placeQueries } from "./places.ts";
import { business, dateOf, type LeasedRow, tables } from "./rows.ts";
import { inFlightQueries, orphanQueries, sequenceQueries } from "./sequence.ts";
import { approvalQueries, callbackQueries, settlementQueries, settlementWrites, termsQueries } from "./settlements.ts";
import { signingJournalQueries } from "./signing-journal.ts";
import { supersededQueries, transactionQueries } from "./transactions.ts";
import { leftQueries, oweQueries, transferQueries, wishQueries } from "./transfers.ts";
import { walletAddressQueries } from "./wallet-addresses.ts";
import { cursorQueries, haltQueries, walletQueries } from "./wallets.ts";

const nothing = async () => {};
const none = async () => [];
const isOpen = (db: Database) => (db as unknown as Handle).session !== null;

/** The tables of due work that are simulated. */
function leased(name: string): Table<LeasedRow> {
  const { transfers, callbacks, topups, withdrawals } = tables();
  const table = { transfers, callbacks, topups, withdrawals }[name];
  if (table === undefined) throw new Error(`outside of the simulation: leases of ${name}`);
  return table as unknown as Table<LeasedRow>;
}

const leases = {
  LEASE_SECONDS: 10,
  listShares: async () => [{ of: "everybody" }],
  renewLeases: (db, name, held, seconds = 10) => {
    if (held.length === 0) return Promise.resolve([]);
    return statement(db, `renew ${name}`, (view) => {
      const table = leased(name);
      const lost: string[] = [];
      for (const { id, token } of held) {
        const row = view.get(table, id);
        if (row?.leaseToken != null && row.leaseToken !== token) lost.push(id);
        if (row?.leaseToken === token && view.isFree(table, id)) view.put(table, { ...row, leaseUntil: view.now + seconds * 1_000 });
      }
      return lost;
    });
  },
  releaseLeases: async (db, name, held) => {
    if (held.length === 0) return;
    await statement(db, `release ${name}`, (view) => {
      const table = leased(name);
      for (const { id } of held) view.hold(`${table.name} ${id}`);
      for (const { id, token } of held) {
        const row = view.get(table, id);
        if (row?.leaseToken === token) view.put(table, { ...row, leaseUntil: null, leaseToken: null });
      }
    });
  },
} satisfies Partial<typeof import("#db/lease.ts")>;

const transaction = {
  layoutOf: () => "whole",
  inTransaction: async (db, work) => (isOpen(db) ? await work(db) : await db.transaction(work)),
  sentTogether: async (...sent) => (await Promise.all(sent)) as never,
  sendAhead: async (_db, write) => void (await write),
} satisfies Partial<typeof import("#db/transaction.ts")>;

const fees = {
  insertNetworkFees: (tx, booked) =>
    statement(tx, "book network fees", (view) => {
      const fresh = booked.filter(({ id }) => view.get(tables().fees, id) === undefined);
      for (const fee of fresh) view.put(tables().fees, { id: fee.id, fee });
      return fresh.map(({ id }) => id);
    }),
  listNetworkFees: (db, hashes) =>
    statement(db, "list network fees", (view) => {
      const booked = Map.groupBy(
        view.list(tables().fees, ({ fee }) => hashes.includes(fee.hash)),
        ({ fee }) => fee.hash,
      );
      return [...booked].map(([hash, rows]) => ({
        hash,
        feeBase: rows.reduce((sum, { fee }) => sum + fee.feeBase, 0n),
        rows: rows.length,
      }));
    }),
} satisfies Partial<typeof import("#db/queries/ledger/network-fees.ts")>;

const proofs = {
  insertTransferProof: (tx, { chain, hash, logIndex }) =>
    statement(tx, "insert transfer proof", (view) => {
      const id = `${chain} ${hash} ${logIndex}`;
      view.untilWritten(tables().proofs, id);
      if (view.get(tables().proofs, id) !== undefined) return false;
      view.put(tables().proofs, { id });
      return true;
    }),
} satisfies Partial<typeof import("#db/queries/transfers/transfer-proofs.ts")>;

/** Only answers about one thing at a time are kept: what the engines met. */
const audit = {
  insertAuditEntry: (db, { objectId, action, change }) =>
    statement(db, `note ${action}`, (view) => {
      view.put(tables().story, { id: randomUUID(), ownerId: objectId, action, txHash: change.tx_hash });
    }),
  insertAuditEntries: nothing,
} satisfies Partial<typeof import("#db/queries/audit/audit-entries.ts")>;

/** Each is asked alone: sharing statements and transactions is outside of the simulation. */
const gather = {
  batched: (_, ask) => async (db, asked) => {
    const [answer] = await ask(db, [asked]);
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error("a question was not answered");
    return answer;
  },
} satisfies Partial<typeof import("#db/batched.ts")>;

/**
 * What is behind the names that `db` exports: every statement of the simulated engines, and silence where a statement only keeps what
 * people read. A name that is missing here throws when it is called.
 */
export const TABLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "db/transaction.ts": transaction,
  "db/batched.ts": gather,
  "db/lease.ts": { ...leases, ...orderLeases },
  "db/trouble.ts": {
    databaseErrorOf: () => null,
    isUniqueViolation: (error: unknown) => error instanceof UniqueViolation,
    unlessNodeAway: (asked: Promise<unknown>) => asked,
  },
  "db/queries/maintenance/clock.ts": {
    readBusinessNow: (db: Database) => statement(db, "read clock", ({ now }) => dateOf(now + business.aheadMs)),
  },
  "db/queries/settlements/settlements.ts": settlementQueries,
  "db/queries/settlements/write-settlements.ts": settlementWrites,
  "db/queries/settlements/lock-to-confirm.ts": {
    async lockToConfirm(tx, confirming) {
      const held = await settlementQueries.lockForChange(tx, confirming);
      return [...held.values()].map((one) => ({ ...one, limited: null }));
    },
  } satisfies Partial<typeof import("#db/queries/settlements/lock-to-confirm.ts")>,
  "db/queries/settlements/settlement-approvals.ts": approvalQueries,
  "db/queries/callbacks/callbacks.ts": callbackQueries,
  "db/queries/rates/pair-terms.ts": termsQueries,
  "db/queries/callbacks/due-callbacks.ts": dueCallbackQueries,
  "db/queries/transfers/transfers.ts": transferQueries,
  "db/queries/transfers/owe-transfer.ts": oweQueries,
  "db/queries/transfers/insert-once.ts": {
    async insertTransferOnce(tx, added, judge) {
      const stored = await oweQueries.oweTransfer(tx, added);
      const existing = stored ?? (await transferQueries.findTransferOf(tx, added.purpose, added.ownerId));
      if (existing !== null) judge(existing);
    },
    async insertSettlementTransfers(tx, added, judge) {
      for (const wanted of added) {
        const stored = await oweQueries.oweTransfer(tx, wanted);
        const existing = stored ?? (await transferQueries.findTransferOf(tx, wanted.purpose, wanted.ownerId));
        if (existing !== null) judge(existing, wanted);
      }
    },
  } satisfies Partial<typeof import("#db/queries/transfers/insert-once.ts")>,
  "db/queries/transfers/left-transfers.ts": leftQueries,
  // Nothing is booked as lost there.
  "db/queries/transfers/treasury-losses.ts": {
    lockUnknownPayments: nothing,
    recoverLoss: nothing,
  } satisfies Partial<typeof import("#db/queries/transfers/treasury-losses.ts")>,
  // Nothing is in suspense there.
  "db/queries/transfers/suspense-lines.ts": { lockLinesOf: none } satisfies Partial<
    typeof import("#db/queries/transfers/suspense-lines.ts")
  >,
  // No payment is held there.
  "db/queries/transfers/unexplained-payments.ts": {
    insertUnexplained: async () => false,
    listUnexplained: none,
  } satisfies Partial<typeof import("#db/queries/transfers/unexplained-payments.ts")>,
  "db/queries/fiat/fiat-work.ts": fiatWorkQueries,
  "db/queries/fiat/topups.ts": topupQueries,
  "db/queries/fiat/withdrawals.ts": withdrawalQueries,
  "db/queries/fiat/provider-statement.ts": providerEventQueries,
  "db/queries/fiat/fiat-pools.ts": { changePoolTotal: async () => true },
  "db/queries/members/members.ts": memberOfTopup,
  "db/queries/events/keep-events.ts": {
    isOfEarlierLine: (db, at) =>
      statement(db, "is of earlier line", () => business.lineBeganAt !== null && at.getTime() < dateOf(business.lineBeganAt).getTime()),
  } satisfies Partial<typeof import("#db/queries/events/keep-events.ts")>,
  "db/queries/transfers/wishes.ts": wishQueries,
  "db/queries/transfers/transactions.ts": transactionQueries,
  "db/queries/transfers/signing-journal.ts": signingJournalQueries,
  "db/queries/transfers/lapsing-attempts.ts": lapsingQueries,
  "db/queries/transfers/pack-members.ts": memberQueries,
  "db/queries/transfers/superseded-transactions.ts": supersededQueries,
  "db/queries/transfers/orphaned-nonces.ts": placeQueries,
  "db/queries/transfers/transfer-proofs.ts": proofs,
  "db/queries/transfers/nonce-sequence.ts": sequenceQueries,
  "db/queries/transfers/in-flight.ts": inFlightQueries,
  "db/queries/transfers/orphaned-transfers.ts": orphanQueries,
  "db/queries/transfers/wallets.ts": walletQueries,
  "db/queries/transfers/wallet-addresses.ts": walletAddressQueries,
  "db/queries/transfers/chain-cursors.ts": cursorQueries,
  "db/queries/halts/scope-halts.ts": haltQueries,
  "db/queries/ledger/network-fees.ts": fees,
  "db/queries/transfers/chain-heads.ts": { saveChainHead: nothing, saveGasPrice: nothing },
  "db/queries/transfers/wallet-balances.ts": { saveWalletBalance: nothing },
  "db/queries/audit/audit-entries.ts": audit,
  "db/queries/events/record-events.ts": { recordEvents: nothing },
  "db/queries/ledger/ledger-entries.ts": { insertLedgerEntries: nothing, insertLedgerEntry: nothing },
  "db/queries/holds/ended-waits.ts": { listPayoutWaits: async () => new Map() },
  "db/queries/holds/payment-holds.ts": { listHoldsOf: none, endHolds: nothing },
  "db/queries/holds/keep-judgement.ts": { keepJudgement: nothing },
  "db/queries/exposure/ask-limits.ts": { askBeforeSigning: none },
};
