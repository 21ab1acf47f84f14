import { listPartnerBalances } from "#db/queries/ledger/statement-lines.ts";
import {
  countExecutedIn,
  type DayActivity,
  listDayActivity,
  listExecutedIn,
  listNamedSettlements,
  type NamedSettlement,
  sumSettledPostings,
} from "#db/queries/overview/month-activity.ts";
import { findPartner } from "#db/queries/partners/partners.ts";
import { type Asset, assetName } from "#domain/ledger.ts";
import { monthPeriod, type OurRow } from "#domain/month-statement.ts";
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

/** Names, or settlements, of one part of a comparison. */
export const COMPARED_PART = 500;

/** The settlements that a part of a partner's own file names, by reference or id, and whether they were paid out within the month. */
export async function findOwnRows(
  ctx: Uses<"db">,
  { partnerId, month, names }: { partnerId: string; month: string; names: readonly string[] },
): Promise<OurRow[]> {
  const period = monthPeriod(month);
  return (await listNamedSettlements(ctx.db, partnerId, names)).map((each) => ourRow(each, period));
}

/** Where the next part of a month begins: after the settlement that was paid out then. */
export type MonthPlace = { endedAt: Date; id: string };

/**
 * What was paid out in a month, in parts, for the rows that a partner's own file lacks. `of`: how many there are in the whole month, up to
 * {@link MOST_EXECUTED}.
 */
export async function listExecuted(
  ctx: Uses<"db">,
  { partnerId, month, after }: { partnerId: string; month: string; after: MonthPlace | null },
): Promise<{ rows: OurRow[]; of: number; next: MonthPlace | null }> {
  const key = { partnerId, ...monthPeriod(month) };
  const rows = await listExecutedIn(ctx.db, key, { after, limit: COMPARED_PART });
  const last = rows.at(-1);
  return {
    rows: rows.map((each) => ourRow(each, key)),
    of: await countExecutedIn(ctx.db, key, MOST_EXECUTED),
    next: last !== undefined && rows.length === COMPARED_PART ? { endedAt: last.endedAt, id: last.id } : null,
  };
}

/** The count of a larger month says only that it is at least this. */
export const MOST_EXECUTED = 200_000;

function ourRow({ id, externalTxId, status, sourceMinor, sourceCurrency, endedAt }: NamedSettlement, { from, to }: Period): OurRow {
  const isInMonth = endedAt !== null && endedAt >= from && endedAt < to;
  return { id, externalTxId, status, minor: sourceMinor, currency: sourceCurrency, isInMonth };
}

type Period = { from: Date; to: Date };
