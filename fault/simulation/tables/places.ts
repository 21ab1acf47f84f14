import type { MissingNonce } from "#db/queries/transfers/orphaned-nonces.ts";
import { statement, type View } from "#fault/simulation/store.ts";
import { type TransactionRow, tables } from "./rows.ts";

type Places = typeof import("#db/queries/transfers/orphaned-nonces.ts");

/** What every statement that chooses something of a transfer asks first. */
export function hasNoOrphanedNonce(view: View, transferId: string): boolean {
  const packId = view.get(tables().members, transferId)?.packId;
  return view.list(tables().places, (place) => place.transferId === transferId || place.transferId === packId).length === 0;
}

/** Nothing is owed under its nonce any more: superseded, failed, or paid by something else. */
function isInVain(view: View, { id, transferId, isSuperseded }: TransactionRow): boolean {
  const { state, txHash } = view.get(tables().transfers, transferId)?.transfer ?? {};
  if (isSuperseded || state === "failed") return true;
  return state === "executed" && view.get(tables().attempts, txHash ?? "")?.attempt.transactionId !== id;
}

/** `on conflict do nothing`. */
function note(view: View, { id, transferId, walletId }: TransactionRow): void {
  view.untilWritten(tables().places, id);
  if (view.get(tables().places, id) === undefined) view.put(tables().places, { id, transferId, walletId });
}

/** As `db/queries/transfers/orphaned-nonces.ts`. */
export const placeQueries = {
  setNoncesOrphaned: (tx, chain, height) =>
    statement(tx, "set places orphaned", (view) => {
      const { fees, attempts, transactions } = tables();
      const above = view.list(fees, ({ fee }) => fee.chain === chain && fee.blockNumber > height).map(({ fee }) => fee.hash);
      const ids = new Set(above.map((hash) => view.get(attempts, hash)?.attempt.transactionId ?? ""));
      for (const id of ids) {
        const row = view.get(transactions, id);
        if (row !== undefined && isInVain(view, row)) note(view, row);
      }
    }),
  async insertOrphanedNonces(tx, ids) {
    if (ids.length === 0) return;
    await statement(tx, "insert orphaned places", (view) => {
      for (const row of view.list(tables().transactions, ({ id }) => ids.includes(id))) note(view, row);
    });
  },
  listOrphanedNonces: (db, chain) =>
    statement(db, "list orphaned places", (view) => {
      const own = view.list(tables().places, ({ walletId }) => view.get(tables().wallets, walletId)?.wallet.chain === chain);
      return own
        .map(({ id: transactionId, walletId }) => ({ transactionId, walletId }))
        .sort((one, other) => (one.transactionId < other.transactionId ? -1 : 1));
    }),
  lockOrphanedNonce: (tx, id) =>
    statement(
      tx,
      "lock orphaned place",
      (view) => view.get(tables().places, id) !== undefined && view.lock(tables().places, id) !== undefined,
    ),
  endOrphanedNonce: (tx, id) => statement(tx, "end orphaned place", (view) => view.drop(tables().places, id)),
  listMissingNonces: (db, walletId, { from, below }, limit) =>
    statement(db, "list missing nonces", (view) => {
      const own = new Map(view.list(tables().transactions, (row) => row.walletId === walletId).map((row) => [row.nonce, row]));
      return Array.from({ length: Math.max(0, below - from) }, (_, index) => from + index)
        .flatMap((nonce): MissingNonce[] => {
          const row = own.get(nonce);
          if (row === undefined) return [{ nonce, transactionId: null }];
          return isInVain(view, row) ? [{ nonce, transactionId: row.id }] : [];
        })
        .slice(0, limit);
    }),
} satisfies Partial<Places>;
