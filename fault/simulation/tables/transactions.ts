import type { Member } from "#db/queries/transfers/pack-members.ts";
import type { Attempt, OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { statement, type View } from "#fault/simulation/store.ts";
import { hasNoOrphanedNonce } from "./places.ts";
import { dateOf, type TransactionRow, type TransferRow, tables } from "./rows.ts";

type Module = typeof import("#db/queries/transfers/transactions.ts");
type Superseded = typeof import("#db/queries/transfers/superseded-transactions.ts");

export const attemptsOf = (view: View, transactionId: string): Attempt[] =>
  view
    .list(tables().attempts, ({ attempt }) => attempt.transactionId === transactionId)
    .map(({ attempt }) => attempt)
    .sort((one, other) => one.number - other.number);

/** The payments of a packed transaction, in its order. */
export function membersOf(view: View, packId: string): Member[] {
  const rows = view.list(tables().members, (row) => row.packId === packId).sort((one, other) => one.position - other.position);
  return rows.flatMap(({ id, outcome, logIndex }) => {
    const transfer = view.get(tables().transfers, id)?.transfer;
    return transfer === undefined ? [] : [{ packId, outcome, logIndex, transfer }];
  });
}

/** With its attempts, its transfer and the address of its wallet. */
export function openOf(view: View, rows: readonly TransactionRow[]): OpenTransaction[] {
  return rows.flatMap((row): OpenTransaction[] => {
    const { id, walletId, nonce, intent, intentHash, spentHeight } = row;
    const transfer = view.get(tables().transfers, row.transferId)?.transfer;
    const walletAddress = view.get(tables().wallets, walletId)?.wallet.address ?? "";
    if (transfer === undefined) return [];
    return [
      {
        id,
        walletId,
        walletAddress,
        nonce,
        intent,
        intentHash,
        spentHeight,
        bumpAt: dateOf(row.bumpAt),
        transfer,
        members: membersOf(view, transfer.id),
        attempts: attemptsOf(view, id),
      },
    ];
  });
}

export const byNonce = (one: { nonce: number }, other: { nonce: number }) => one.nonce - other.nonce;
export const isUnmined = ({ transfer }: TransferRow) => transfer.state === "signed" || transfer.state === "broadcast";

function change(
  view: View,
  wanted: (row: TransactionRow) => boolean,
  changed: (row: TransactionRow, now: number) => TransactionRow,
): number {
  const { transactions } = tables();
  const rows = view.list(transactions, wanted).sort((one, other) => (one.id < other.id ? -1 : 1));
  for (const { id } of rows) view.hold(`transactions ${id}`);
  for (const row of rows) view.put(transactions, changed(row, view.now));
  return rows.length;
}

async function listTransactionsOf(...[db, transferIds]: Parameters<Module["listTransactionsOf"]>): Promise<OpenTransaction[]> {
  if (transferIds.length === 0) return [];
  const isAsked = ({ transferId, isSuperseded }: TransactionRow) => !isSuperseded && transferIds.includes(transferId);
  return await statement(db, "list transactions of", (view) => openOf(view, view.list(tables().transactions, isAsked)));
}

/** As `db/queries/transfers/transactions.ts`. */
export const transactionQueries = {
  insertTransactions: (tx, entries, bumpAfterSeconds) =>
    statement(tx, "insert transactions", (view) => {
      for (const { createdAt: _, ...entry } of entries)
        view.put(tables().transactions, {
          ...entry,
          lookAt: view.now,
          bumpAt: view.now + bumpAfterSeconds * 1_000,
          spentHeight: null,
          isSuperseded: false,
        });
    }),
  insertAttempts: (tx, attempts) =>
    statement(tx, "insert attempts", (view) => {
      for (const attempt of attempts) view.put(tables().attempts, { id: attempt.hash, attempt: { ...attempt, broadcastAt: null } });
    }),
  postponeBump: (tx, id, seconds) =>
    statement(tx, "postpone bump", (view) => {
      change(
        view,
        (row) => row.id === id,
        (row, now) => ({ ...row, bumpAt: now + seconds * 1_000, lookAt: now }),
      );
    }),
  markBroadcast: (tx, hashes, now) =>
    statement(tx, "mark broadcast", (view) => {
      const { attempts } = tables();
      for (const { id, attempt } of view.list(attempts, (row) => hashes.includes(row.id) && row.attempt.broadcastAt === null))
        view.put(attempts, { id, attempt: { ...attempt, broadcastAt: now } });
    }),
  async lookAgain(db, ids, { inMs, spentHeight }) {
    if (ids.length === 0) return;
    await statement(
      db,
      "look again",
      (view) =>
        void change(
          view,
          ({ id }) => ids.includes(id),
          (row, now) => ({ ...row, lookAt: now + inMs, spentHeight }),
        ),
    );
  },
  async lookAtOnce(db, transferIds) {
    if (transferIds.length === 0) return;
    await statement(
      db,
      "look at once",
      (view) =>
        void change(
          view,
          (row) => transferIds.includes(row.transferId),
          (row, now) => ({ ...row, lookAt: now, spentHeight: null }),
        ),
    );
  },
  listDueTransactions: (db, walletId, limit) =>
    statement(db, "list due transactions", (view) => {
      const isDue = (row: TransactionRow) => {
        if (row.walletId !== walletId || row.isSuperseded) return false;
        const owner = view.get(tables().transfers, row.transferId);
        if (owner === undefined || !isUnmined(owner) || !hasNoOrphanedNonce(view, owner.id)) return false;
        const { bumpRequestedAt, cancelRequestedAt } = owner.transfer;
        const cancels = cancelRequestedAt !== null && !attemptsOf(view, row.id).some(({ kind }) => kind === "cancellation");
        return row.lookAt <= view.now || bumpRequestedAt !== null || cancels;
      };
      return openOf(view, view.list(tables().transactions, isDue).sort(byNonce).slice(0, limit));
    }),
  listUnheld: (db, chain, limit) =>
    statement(db, "list unheld", (view) => {
      const { wallets, transactions, transfers } = tables();
      return view
        .list(transactions, ({ isSuperseded, transferId, walletId }) => {
          const [owner, wallet] = [view.get(transfers, transferId), view.get(wallets, walletId)];
          if (isSuperseded || owner?.transfer.chain !== chain || !isUnmined(owner) || owner.transfer.waitingReason !== null) return false;
          return wallet?.leaseUntil == null || wallet.leaseUntil <= view.now - 15_000;
        })
        .slice(0, limit)
        .map(({ transferId, walletId }) => ({ transferId, wallet: view.get(wallets, walletId)?.wallet.address ?? "" }));
    }),
  listPlaces: async (db, ids) =>
    ids.length === 0
      ? []
      : await statement(db, "list places", (view) =>
          openOf(
            view,
            view.list(tables().transactions, ({ id }) => ids.includes(id)),
          ),
        ),
  findTransaction: async (db, transferId) => (await listTransactionsOf(db, [transferId]))[0] ?? null,
  listTransactionsOf,
  async findOwnAttempts(tx, hashes) {
    if (hashes.length === 0) return [];
    return await statement(tx, "find own attempts", (view) =>
      hashes.flatMap((hash) => {
        const transaction = view.get(tables().transactions, view.get(tables().attempts, hash)?.attempt.transactionId ?? "");
        return transaction === undefined ? [] : [{ hash, transferId: transaction.transferId, standing: !transaction.isSuperseded }];
      }),
    );
  },
  listMinedPlaces: (db, walletId, fromNonce, belowNonce, limit) =>
    statement(db, "list mined places", (view) => {
      const isMined = ({ walletId: of, nonce, transferId }: TransactionRow) => {
        const state = view.get(tables().transfers, transferId)?.transfer.state;
        const isIn = of === walletId && nonce >= fromNonce && nonce < belowNonce;
        return isIn && (state === "mined" || state === "executed") && hasNoOrphanedNonce(view, transferId);
      };
      return openOf(view, view.list(tables().transactions, isMined).sort(byNonce).slice(0, limit));
    }),
} satisfies Partial<Module>;

export const supersededQueries = {
  supersedeTransaction: (tx, transferId) =>
    statement(tx, "supersede transaction", (view) => {
      const count = change(
        view,
        (row) => row.transferId === transferId && !row.isSuperseded,
        (row) => ({ ...row, isSuperseded: true }),
      );
      if (count !== 1) throw new Error(`${transferId} has no standing transaction`);
    }),
  countSuperseded: (db, transferId) =>
    statement(
      db,
      "count superseded",
      (view) => view.list(tables().transactions, (row) => row.transferId === transferId && row.isSuperseded).length,
    ),
} satisfies Partial<Superseded>;
