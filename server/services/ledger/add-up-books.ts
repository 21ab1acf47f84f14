import { allowLongStatements } from "#db/queries/audit/rules/rule.ts";
import { insertLedgerSnapshot, readSnapshotLag } from "#db/queries/ledger/ledger-balances.ts";
import { readTransactionMark, type TransactionMark } from "#db/queries/maintenance/clock.ts";
import { firstId, timeOfId } from "#domain/ids.ts";
import type { Uses } from "#server/context.ts";

/** So many entries of the ledger at most are added up for a balance one by one, besides those of the last minutes. */
const MOST_ENTRIES = 20_000;
/** Longer than a transaction takes from reading the time to its first write. */
const MARGIN_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

/**
 * Adds up the books once a day, and after every 20,000 entries. So a balance, which a credit line asks for with each confirmation, costs the
 * same at any rate. What is added up ends at least ten minutes ago, and no transaction that began before then is still running. `run` is one
 * pass, and remembers when transactions began. It answers whether it stored a snapshot.
 */
export function bookkeeper(ctx: Uses<"db">, mostEntries = MOST_ENTRIES): { run(): Promise<boolean> } {
  let marks: TransactionMark[] = [];
  return {
    async run() {
      const mark = await readTransactionMark(ctx.db);
      marks.push(mark);
      const ended = marks.findLast(({ next }) => next <= mark.oldest);
      if (ended === undefined) return false;
      marks = marks.filter(({ next }) => next >= ended.next);
      const before = firstId("ledgerEntry", new Date(ended.at.getTime() - MARGIN_MS));
      const { newest, later } = await readSnapshotLag(ctx.db, { before, most: mostEntries });
      const isOld = newest === null || (timeOfId(newest)?.getTime() ?? 0) <= ended.at.getTime() - MARGIN_MS - DAY_MS;
      if (later === 0 || (later < mostEntries && !isOld)) return false;
      await ctx.db.transaction(async (tx) => {
        await allowLongStatements(tx);
        await insertLedgerSnapshot(tx, before);
      });
      return true;
    },
  };
}
