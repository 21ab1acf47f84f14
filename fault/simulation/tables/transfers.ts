import type { Left } from "#db/queries/transfers/left-transfers.ts";
import { isOpenTransfer, senderOf, type Transfer, type WaitingKind } from "#domain/transfer.ts";
import { statement, UniqueViolation, type View } from "#fault/simulation/store.ts";
import { hasNoOrphanedNonce } from "./places.ts";
import { dateOf, type TransferRow, tables } from "./rows.ts";
import { wake } from "./wakes.ts";

type Module = typeof import("#db/queries/transfers/transfers.ts");

const isLeasable = (row: TransferRow, now: number) => row.leaseUntil === null || row.leaseUntil < now;
const isRested = (row: TransferRow, now: number) => row.restUntil === null || row.restUntil < now;
const known = (rows: (TransferRow | undefined)[]) => rows.flatMap((row) => (row === undefined ? [] : [row.transfer]));
const byId = (one: TransferRow, other: TransferRow) => (one.id < other.id ? -1 : 1);

/** Rows by their ids, in their order, held until the end. */
function held(view: View, ids: readonly string[]): TransferRow[] {
  const { transfers } = tables();
  return [...new Set(ids)].sort().flatMap((id) => view.lock(transfers, id) ?? []);
}

function put(view: View, row: TransferRow): void {
  view.put(tables().transfers, row);
}

function lockTransfers(...[db, ids, token]: Parameters<Module["lockTransfers"]>) {
  if (ids.length === 0) return Promise.resolve([]);
  return statement(db, "lock transfers", (view) =>
    held(view, ids)
      .filter((row) => token === undefined || row.leaseToken === token)
      .map(({ transfer }) => transfer),
  );
}

function saved(row: TransferRow, moved: Transfer, now: number): TransferRow {
  const kind: WaitingKind | null = moved.state === "needs_review" ? "review" : moved.waitingReason === null ? null : row.waitingKind;
  const dueAt = isOpenTransfer(moved.state) ? (row.dueAt ?? now) : null;
  return { ...row, transfer: moved, dueAt, waitingKind: kind, leaseUntil: null, leaseToken: null, restUntil: null };
}

async function saveTransfers(...[db, moved]: Parameters<Module["saveTransfers"]>): Promise<void> {
  if (moved.length === 0) return;
  await statement(db, `save transfers ${moved.map(({ state }) => state).join(" ")}`, (view) => {
    for (const one of moved) {
      const row = view.lock(tables().transfers, one.id);
      if (row !== undefined) put(view, saved(row, one, view.now));
    }
  });
}

async function update(
  db: Parameters<Module["restTransfers"]>[0],
  name: string,
  wanted: (row: TransferRow) => boolean,
  change: (row: TransferRow, now: number) => TransferRow,
) {
  await statement(db, name, (view) => {
    const { transfers } = tables();
    const rows = view.list(transfers, wanted).sort(byId);
    for (const { id } of rows) view.hold(`transfers ${id}`);
    for (const row of view.list(transfers, wanted)) put(view, change(row, view.now));
  });
}

function isLeft(left: Left, transfer: Transfer): boolean {
  const { call, tokenAddress, amountBase } = transfer;
  if (left === "all") return senderOf(transfer) === undefined;
  return call === null && tokenAddress?.toLowerCase() === left.tokenAddress?.toLowerCase() && amountBase >= left.fromBase;
}

/** As `db/queries/transfers/left-transfers.ts`. */
export const leftQueries = {
  notifyOthers: (db) => statement(db, "tell others", (view) => view.whenCommitted(() => wake("transfers"))),
} satisfies Partial<typeof import("#db/queries/transfers/left-transfers.ts")>;

/** As `db/queries/transfers/owe-transfer.ts`. What a payment's owner says is not in these tables. */
export const oweQueries = {
  oweTransfer: (tx, transfer) =>
    statement(tx, "owe transfer", (view) => {
      const due = { dueAt: transfer.createdAt.getTime() - dateOf(0).getTime(), waitingKind: null };
      view.whenCommitted(() => wake("transfers"));
      try {
        put(view, { id: transfer.id, transfer, ...due, leaseUntil: null, leaseToken: null, restUntil: null, orphanedSince: null });
        return transfer;
      } catch (error) {
        if (!(error instanceof UniqueViolation)) throw error;
        return null;
      }
    }),
} satisfies Partial<typeof import("#db/queries/transfers/owe-transfer.ts")>;

/** As `db/queries/transfers/transfers.ts`, over the in-memory tables. */
export const transferQueries = {
  findTransfer: (db, id) => statement(db, "find transfer", (view) => view.get(tables().transfers, id)?.transfer ?? null),
  listTransfers: (db, ids) => statement(db, "list transfers", (view) => known(ids.map((id) => view.get(tables().transfers, id)))),
  findTransferOf: (db, purpose, ownerId) =>
    statement(
      db,
      "find transfer of",
      (view) =>
        view.list(tables().transfers, ({ transfer }) => transfer.purpose === purpose && transfer.ownerId === ownerId)[0]?.transfer ?? null,
    ),
  lockTransfers,
  lockTransfer: async (tx, id) => (await lockTransfers(tx, [id]))[0] ?? null,
  saveTransfers,
  saveTransfer: (tx, transfer, now) => saveTransfers(tx, [transfer], now),
  async claimQueuedTransfers(db, { chain, wallets, token, limit, seconds, left = [] }) {
    const isMine = (transfer: Transfer) => {
      const sender = senderOf(transfer);
      return sender === undefined || wallets.held.includes(sender) || !wallets.known.some((address) => address === sender);
    };
    const ids = await statement(db, "claim transfers", (view) => {
      const { transfers } = tables();
      const due = view.list(
        transfers,
        (row) =>
          row.transfer.state === "queued" &&
          row.transfer.chain === chain &&
          row.dueAt !== null &&
          row.dueAt <= view.now &&
          isLeasable(row, view.now) &&
          isRested(row, view.now) &&
          row.waitingKind !== "hold" &&
          hasNoOrphanedNonce(view, row.id) &&
          isMine(row.transfer) &&
          !left.some((one) => isLeft(one, row.transfer)) &&
          view.isFree(transfers, row.id),
      );
      const taken = due.sort((one, other) => (one.dueAt ?? 0) - (other.dueAt ?? 0)).slice(0, limit);
      for (const row of taken) put(view, { ...row, leaseUntil: view.now + (seconds ?? 10) * 1_000, leaseToken: token });
      return taken.map(({ id }) => id);
    });
    if (ids.length === 0) return [];
    return await statement(db, "read claimed", (view) => known([...ids].sort().map((id) => view.get(tables().transfers, id))));
  },
  async restTransfers(db, ids, { restMs, ...why }) {
    if (ids.length === 0) return;
    const reason = why.kind === null ? null : why.reason;
    await update(
      db,
      `rest transfers (${reason})`,
      ({ id, dueAt, waitingKind }) => dueAt !== null && waitingKind !== "hold" && ids.includes(id),
      (row, now) => {
        const until = now + restMs;
        return {
          ...row,
          transfer: { ...row.transfer, waitingReason: reason },
          waitingKind: why.kind,
          restUntil: until,
          leaseUntil: until,
          leaseToken: null,
        };
      },
    );
  },
  async recordChainTrouble(db, chain, trouble) {
    const t =
      "reason" in trouble
        ? { before: null, after: trouble.reason, kind: "chain_unavailable" as const }
        : { before: trouble.over, after: null, kind: null };
    await update(
      db,
      "note chain trouble",
      ({ dueAt, transfer }) => dueAt !== null && transfer.chain === chain && transfer.waitingReason === t.before,
      (row) => ({ ...row, transfer: { ...row.transfer, waitingReason: t.after }, waitingKind: t.kind }),
    );
  },
  listMinedTransfers: (db, chain, upToHeight, limit) =>
    statement(db, "list mined", (view) => {
      const isDeep = (row: TransferRow) =>
        row.transfer.state === "mined" &&
        row.transfer.chain === chain &&
        row.dueAt !== null &&
        (row.transfer.blockNumber ?? 0) <= upToHeight &&
        isLeasable(row, view.now) &&
        isRested(row, view.now);
      const deep = known(view.list(tables().transfers, isDeep));
      return deep.sort((one, other) => (one.blockNumber ?? 0) - (other.blockNumber ?? 0)).slice(0, limit);
    }),
  listOpenPayments: (db, chain) =>
    statement(db, "list open payments", (view) =>
      known(
        view
          .list(tables().transfers, ({ transfer }) => transfer.chain === chain && ["queued", "needs_review"].includes(transfer.state))
          .sort(byId),
      ),
    ),
  sumQueued: () => Promise.resolve([]),
  wakeTransfers: (tx) => statement(tx, "wake transfers", (view) => view.whenCommitted(() => wake("transfers"))),
} satisfies Partial<Module>;

export const wishQueries = {
  async clearBumpWish(tx, id) {
    await update(
      tx,
      "clear bump wish",
      (row) => row.id === id,
      (row) => ({ ...row, transfer: { ...row.transfer, bumpRequestedAt: null } }),
    );
  },
} satisfies Partial<typeof import("#db/queries/transfers/wishes.ts")>;
