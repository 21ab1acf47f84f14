import { statement } from "#fault/simulation/store.ts";
import { dateOf, type SigningJournalRow, tables } from "./rows.ts";
import { openOf } from "./transactions.ts";

type Module = typeof import("#db/queries/transfers/signing-journal.ts");
const ID = "signing journal";
/** A number for each installation's id: nothing of the machine's own chance comes in. */
const NEW: SigningJournalRow = { id: ID, installation: "simulated", begunAt: null, records: 0 };

/** As `db/queries/transfers/signing-journal.ts`. */
export const signingJournalQueries = {
  findSigningJournal: (db) => statement(db, "find signing journal", (view) => view.get(tables().signingJournal, ID) ?? null),
  ensureSigningJournal: (db) =>
    statement(db, "ensure signing journal", (view) => {
      const found = view.get(tables().signingJournal, ID);
      if (found === undefined) view.put(tables().signingJournal, NEW);
      return found ?? NEW;
    }),
  noteJournalBegun: (db) =>
    statement(db, "note journal begun", (view) => {
      const row = view.lock(tables().signingJournal, ID);
      if (row?.begunAt === null) view.put(tables().signingJournal, { ...row, begunAt: dateOf(view.now) });
    }),
  noteJournalRecords: (db, _, records) =>
    statement(db, "note journal records", (view) => {
      const row = view.lock(tables().signingJournal, ID);
      if (row !== undefined && row.records < records) view.put(tables().signingJournal, { ...row, records });
    }),
  listAllSequences: (db, chain) =>
    statement(db, "list all sequences", (view) =>
      view
        .list(tables().wallets, ({ wallet }) => wallet.chain === chain)
        .map(({ wallet: { id, address, nextNonce } }) => ({ id, address, nextNonce })),
    ),
  listSupersededPlaces: (db, transferId) =>
    statement(db, "list superseded places", (view) =>
      openOf(
        view,
        view.list(tables().transactions, (row) => {
          const member = view.get(tables().members, transferId);
          const wasPacked = row.transferId === member?.packId && member.outcome !== null && member.outcome !== "paid";
          return wasPacked || (row.transferId === transferId && row.isSuperseded);
        }),
      ).map((place) => ({ ...place, supersededAt: dateOf(view.now) })),
    ),
  listSignedAfter: (db, after, limit) =>
    statement(db, "list signed", (view) =>
      view
        .list(tables().transactions, ({ id }) => id > after)
        .sort((one, other) => (one.id < other.id ? -1 : 1))
        .slice(0, limit)
        .flatMap((row) => openOf(view, [row]).map((place) => ({ ...place, supersededAt: row.isSuperseded ? dateOf(view.now) : null }))),
    ),
} satisfies Partial<Module>;
