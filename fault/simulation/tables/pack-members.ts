import { statement, UniqueViolation } from "#fault/simulation/store.ts";
import { tables } from "./rows.ts";
import { membersOf } from "./transactions.ts";
import { oweQueries } from "./transfers.ts";

/** As `db/queries/transfers/pack-members.ts`. */
export const memberQueries = {
  async owePack(tx, pack, ids) {
    const stored = await oweQueries.oweTransfer(tx, pack);
    if (stored === null) throw new UniqueViolation(pack.id);
    await statement(tx, "owe pack", (view) => {
      const { transfers, transactions, members, lapsingAttempts } = tables();
      const lapsed = new Set(
        view.list(lapsingAttempts, ({ attempt }) => ids.includes(attempt.transferId)).map(({ attempt }) => attempt.transferId),
      );
      for (const [position, id] of ids.entries()) {
        const isOwed = view.get(transfers, id)?.transfer.state === "queued";
        const isNew = view.get(members, id) === undefined && view.list(transactions, (row) => row.transferId === id).length === 0;
        if (!isOwed || !isNew || lapsed.has(id)) throw new Error(`${id} cannot be packed`);
        view.put(members, { id, packId: pack.id, position, outcome: null, logIndex: null });
      }
    });
    return stored;
  },
  async listMembers(db, packIds) {
    if (packIds.length === 0) return [];
    return await statement(db, "list members", (view) => packIds.flatMap((id) => membersOf(view, id)));
  },
  async listMemberships(db, transferIds) {
    if (transferIds.length === 0) return [];
    return await statement(db, "list memberships", (view) =>
      transferIds.flatMap((id) => {
        const packId = view.get(tables().members, id)?.packId ?? "";
        return membersOf(view, packId).filter(({ transfer }) => transfer.id === id);
      }),
    );
  },
  async saveOutcomes(tx, results) {
    if (results.length === 0) return;
    await statement(tx, "save outcomes", (view) => {
      for (const { transferId, outcome, logIndex } of results) {
        const row = view.lock(tables().members, transferId);
        if (row === undefined) continue;
        if (row.outcome !== null && row.outcome !== outcome) throw new Error(`how ${transferId} ended is fixed`);
        view.put(tables().members, { ...row, outcome, logIndex });
      }
    });
  },
  async listTried(db, ids) {
    if (ids.length === 0) return new Set();
    return await statement(db, "list tried", (view) => {
      const { transactions, members, lapsingAttempts } = tables();
      const lapsed = new Set(
        view.list(lapsingAttempts, ({ attempt }) => ids.includes(attempt.transferId)).map(({ attempt }) => attempt.transferId),
      );
      const signed = new Set(view.list(transactions, ({ transferId }) => ids.includes(transferId)).map(({ transferId }) => transferId));
      return new Set(ids.filter((id) => signed.has(id) || lapsed.has(id) || view.get(members, id) !== undefined));
    });
  },
} satisfies Partial<typeof import("#db/queries/transfers/pack-members.ts")>;
