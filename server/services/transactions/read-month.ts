import { listPartnerBalances } from "#db/queries/ledger/statement-lines.ts";
import {
  type DayActivity,
  listDayActivity,
  listExecutedIn,
  listNamedSettlements,
  type NamedSettlement,
  sumSettledPostings,
} from "#db/queries/overview/month-activity.ts";
import { findPartner } from "#db/queries/partners/partners.ts";
import { type Asset, assetName } from "#domain/ledger.ts";
import { compareRows, monthPeriod, type OurRow, type OwnRow, type RowDifference } from "#domain/month-statement.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/** `settled`: what the days add up to. `posted`: what the ledger says. They are the same, or `differences` is not empty in the audit. */
export type MonthStatement = {
  accounts: { asset: Asset; opening: bigint; closing: bigint }[];
  days: DayActivity[];
  ties: { currency: string; settled: bigint; posted: bigint }[];
};

/**
 * A partner's month (UTC, business time), read at one instant: what it owed before and after, its settlements by day and pair, and whether
 * they tie to the ledger to the last digit.
 *
 * @throws Refusal `not_found` without such a partner
 */
export async function readMonth(ctx: Uses<"db">, { partnerId, month }: { partnerId: string; month: string }): Promise<MonthStatement> {
  const key = { partnerId, ...monthPeriod(month) };
  return await ctx.db.transaction(
    async (tx) => {
      if ((await findPartner(tx, partnerId)) === null) throw new Refusal("not_found", { detail: "There is no such partner." });
      const opening = await listPartnerBalances(tx, partnerId, key.from);
      const closing = await listPartnerBalances(tx, partnerId, key.to);
      const days = await listDayActivity(tx, key);
      const postings = await sumSettledPostings(tx, key);
      const at = (balances: typeof closing, asset: Asset) =>
        balances.find((each) => assetName(each.asset) === assetName(asset))?.amount ?? 0n;
      return {
        accounts: closing.map(({ asset }) => ({ asset, opening: at(opening, asset), closing: at(closing, asset) })),
        days,
        ties: tiesOf(days, postings),
      };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

function tiesOf(days: readonly DayActivity[], postings: readonly { currency: string; minor: bigint }[]): MonthStatement["ties"] {
  const settled = new Map<string, bigint>();
  for (const { sourceCurrency, sourceMinor } of days) settled.set(sourceCurrency, (settled.get(sourceCurrency) ?? 0n) + sourceMinor);
  const posted = new Map(postings.map(({ currency, minor }) => [currency, minor]));
  const currencies = [...new Set([...settled.keys(), ...posted.keys()])].toSorted();
  return currencies
    .map((currency) => ({ currency, settled: settled.get(currency) ?? 0n, posted: posted.get(currency) ?? 0n }))
    .filter((each) => each.settled !== 0n || each.posted !== 0n);
}

/** More rows are compared in parts, a month at a time. */
export const MOST_COMPARED = 5_000;

/**
 * A partner's own file against its month. `executed`: how many settlements were paid out. Beyond {@link MOST_COMPARED} of them no row is
 * called missing, and `isPartial` says so.
 */
export async function compareMonth(
  ctx: Uses<"db">,
  { partnerId, month, rows }: { partnerId: string; month: string; rows: readonly OwnRow[] },
): Promise<{ executed: number; isPartial: boolean; differences: RowDifference[] }> {
  const period = monthPeriod(month);
  return await ctx.db.transaction(
    async (tx) => {
      const names = rows.map(({ name }) => name);
      const found = await listNamedSettlements(tx, partnerId, names);
      const executed = await listExecutedIn(tx, { partnerId, ...period }, MOST_COMPARED + 1);
      const isPartial = executed.length > MOST_COMPARED;
      const ours = (each: NamedSettlement): OurRow => ({
        id: each.id,
        externalTxId: each.externalTxId,
        status: each.status,
        minor: each.sourceMinor,
        currency: each.sourceCurrency,
        isInMonth: each.endedAt !== null && each.endedAt >= period.from && each.endedAt < period.to,
      });
      return {
        executed: Math.min(executed.length, MOST_COMPARED),
        isPartial,
        differences: compareRows(rows, found.map(ours), isPartial ? [] : executed.map(ours)),
      };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}
