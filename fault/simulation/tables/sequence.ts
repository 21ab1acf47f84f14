import { statement } from "#fault/simulation/store.ts";
import { hasNoOrphanedNonce } from "./places.ts";
import { type TransactionRow, type TransferRow, tables } from "./rows.ts";
import { attemptsOf, byNonce, isUnmined } from "./transactions.ts";

type Sequence = typeof import("#db/queries/transfers/nonce-sequence.ts");
type InFlight = typeof import("#db/queries/transfers/in-flight.ts");
type Orphaned = typeof import("#db/queries/transfers/orphaned-transfers.ts");

export const sequenceQueries = {
  highestNonce: (db, walletId) =>
    statement(db, "highest nonce", (view) => {
      const nonces = view.list(tables().transactions, (row) => row.walletId === walletId).map(({ nonce }) => nonce);
      return nonces.length === 0 ? null : Math.max(...nonces);
    }),
} satisfies Partial<Sequence>;

export const inFlightQueries = {
  sumInFlight: (db, walletId, height) =>
    statement(db, "sum in flight", (view) => {
      const { transactions, transfers } = tables();
      const sum = { count: 0, promised: 0, lowestNonce: null as number | null, nativeBase: 0n, tokenBase: new Map<string, bigint>() };
      for (const row of view.list(transactions, (one) => one.walletId === walletId && !one.isSuperseded)) {
        const owner = view.get(transfers, row.transferId);
        if (owner === undefined || !(isUnmined(owner) || (owner.transfer.blockNumber ?? -1) > height || owner.orphanedSince !== null))
          continue;
        const { call, purpose, tokenAddress, amountBase } = owner.transfer;
        const token = call === null || purpose === "pack" ? tokenAddress?.toLowerCase() : undefined;
        const dearest = attemptsOf(view, row.id).map(({ gasLimit, maxFeePerGas }) => gasLimit * maxFeePerGas);
        sum.promised += 1;
        sum.nativeBase += row.intent.valueBase + dearest.reduce((most, one) => (one > most ? one : most), 0n);
        if (token !== undefined) sum.tokenBase.set(token, (sum.tokenBase.get(token) ?? 0n) + amountBase);
        if (!isUnmined(owner)) continue;
        sum.count += 1;
        sum.lowestNonce = Math.min(sum.lowestNonce ?? row.nonce, row.nonce);
      }
      return sum;
    }),
  listMinedAbove: (tx, chain, height) =>
    statement(tx, "list mined above", (view) =>
      view
        .list(
          tables().transfers,
          ({ transfer, dueAt }) =>
            transfer.chain === chain && dueAt !== null && transfer.state === "mined" && (transfer.blockNumber ?? 0) > height,
        )
        .map(({ id }) => id),
    ),
} satisfies Partial<InFlight>;

const executedAbove =
  (chain: string, height: number) =>
  ({ transfer, orphanedSince }: TransferRow) =>
    transfer.chain === chain && transfer.state === "executed" && (transfer.blockNumber ?? 0) > height && orphanedSince === null;

export const orphanQueries = {
  listExecutedAbove: (tx, chain, height) =>
    statement(tx, "list executed above", (view) => view.list(tables().transfers, executedAbove(chain, height)).map(({ id }) => id)),
  setOrphaned: (tx, chain, height, { reason }) =>
    statement(tx, "orphaned", (view) => {
      const { transfers } = tables();
      const gone = view.list(transfers, executedAbove(chain, height));
      return gone.map((row) => {
        const transfer = { ...row.transfer, waitingReason: reason };
        view.put(transfers, { ...row, transfer, orphanedSince: view.now });
        return transfer;
      });
    }),
  listOrphaned: (db, chain, limit) =>
    statement(db, "list orphaned", (view) => {
      const { transactions, transfers } = tables();
      const isOrphaned = ({ transferId, isSuperseded, lookAt }: TransactionRow) => {
        const owner = view.get(transfers, transferId);
        return (
          !isSuperseded &&
          lookAt <= view.now &&
          owner !== undefined &&
          owner.orphanedSince !== null &&
          owner.transfer.chain === chain &&
          hasNoOrphanedNonce(view, owner.id)
        );
      };
      return view
        .list(transactions, isOrphaned)
        .sort(byNonce)
        .slice(0, limit)
        .map(({ transferId }) => transferId);
    }),
  endOrphaned: (tx, id, { now: _, ...block }) =>
    statement(tx, "end orphaned", (view) => {
      const row = view.lock(tables().transfers, id);
      if (row === undefined || row.orphanedSince === null) return false;
      view.put(tables().transfers, {
        ...row,
        orphanedSince: null,
        transfer: { ...row.transfer, ...block, waitingReason: null },
      });
      return true;
    }),
  replaceOwnersHash: async () => {},
} satisfies Partial<Orphaned>;
