import { allowLongStatements } from "#db/queries/audit/rules/rule.ts";
import { insertLedgerSnapshot, readSnapshotLag } from "#db/queries/ledger/ledger-balances.ts";
import { readClockOffset } from "#db/queries/maintenance/clock.ts";
import { firstId, timeOfId } from "#domain/ids.ts";
import type { Uses } from "#server/context.ts";

/** So many entries of the ledger at most are added up for a balance one by one, besides those of the last minutes. */
const MOST_ENTRIES = 20_000;
/** Real time. Longer than a transaction takes from reading the time to its commit, so that the database refuses hardly any entry as too late. */
const SETTLE_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
/** The database refuses entries that are older than a snapshot, so none is stored while its clock is so far ahead of the worker's. */
const MOST_AHEAD_MS = 60_000;

/**
 * Adds up the books once a day, and after every 20,000 entries. So a balance, which a credit line asks for with each confirmation, costs the
 * same at any rate. What is added up ends ten minutes ago. `run` is one pass, and remembers the business time of earlier ones, but for those
 * in which the database's clock was ahead of this machine's. It answers whether it stored a snapshot.
 */
export function bookkeeper(
  ctx: Uses<"db">,
  { mostEntries = MOST_ENTRIES, settleMs = SETTLE_MS, now = Date.now } = {},
): { run(): Promise<boolean> } {
  let passes: { at: Date; beganMs: number }[] = [];
  return {
    async run() {
      const beganMs = performance.now();
      const { now: at, offsetMs } = await readClockOffset(ctx.db);
      if (at.getTime() - offsetMs - now() > MOST_AHEAD_MS) {
        passes = [];
        return false;
      }
      passes.push({ at, beganMs });
      const settled = passes.findLast((pass) => pass.beganMs <= beganMs - settleMs);
      if (settled === undefined) return false;
      passes = passes.slice(passes.indexOf(settled));
      const before = firstId("ledgerEntry", settled.at);
      const { newest, any, many, until } = await readSnapshotLag(ctx.db, { before, most: mostEntries });
      const isOld = newest === null || (timeOfId(newest)?.getTime() ?? 0) <= settled.at.getTime() - DAY_MS;
      if (!many && !(any && isOld)) return false;
      await ctx.db.transaction(async (tx) => {
        await allowLongStatements(tx);
        await insertLedgerSnapshot(tx, until);
      });
      return true;
    },
  };
}
