import { listPoolDays, listPoolMarks, listPools } from "#db/queries/fiat/fiat-pools.ts";
import { listProviderBalances } from "#db/queries/fiat/provider-balances.ts";
import { type AccountLine, type LedgerBalance, listAccountLines, listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import { listReconciliations as listRows, type ReconciliationRow } from "#db/queries/ledger/reconciliations.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { listPartnerNames } from "#db/queries/partners/partners.ts";
import type { FiatPool } from "#domain/fiat.ts";
import type { ProviderBalance } from "#domain/provider-balance.ts";
import type { Uses } from "#server/context.ts";

/**
 * What can be paid out of each currency (contract, part 6 "Get Withdraw Fiat Pool Info"). It reads the pools' own rows, which reservations
 * check too, and which the audit compares with the ledger. It does not read the ledger, whose sums would show a partner what others moved.
 */
export async function readPools(ctx: Uses<"db">): Promise<FiatPool[]> {
  return await listPools(ctx.db);
}

/** The last finished reconciliations, newest first, each with every difference by name: for the console and the figures. */
export async function readReconciliations(ctx: Uses<"db">, limit = 30): Promise<ReconciliationRow[]> {
  return await listRows(ctx.db, limit);
}

export type { AccountLine };

export type BookedBalance = LedgerBalance & { partnerName: string | null };

/** The balance of every account, with the names of the partners that own accounts. */
export async function readLedgerBalances(ctx: Uses<"db">): Promise<BookedBalance[]> {
  const balances = await listLedgerBalances(ctx.db);
  const ids = [...new Set(balances.flatMap(({ partnerId }) => (partnerId === null ? [] : [partnerId])))];
  const names = await listPartnerNames(ctx.db, ids);
  return balances.map((balance) => ({
    ...balance,
    partnerName: balance.partnerId === null ? null : (names.get(balance.partnerId) ?? null),
  }));
}

const NEWEST_LINES = 25;

/** The newest lines that make up an account's balance. */
export async function readAccountLines(
  ctx: Uses<"db">,
  account: Pick<LedgerBalance, "account" | "partnerId" | "currency" | "chain">,
): Promise<AccountLine[]> {
  return await listAccountLines(ctx.db, account, NEWEST_LINES);
}

/** One day of a pool, in business time: what came and went, and its balance at the end of the day (or now). */
export type PoolDay = { day: Date; inMinor: bigint; outMinor: bigint; totalMinor: bigint };
/** `provider`: what the providers hold, as they were last asked; null: never asked, or a partner reads. */
export type PoolFigures = FiatPool & { lowWaterMinor: bigint; pendingInMinor: bigint; days: PoolDay[]; provider: ProviderBalance | null };

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Every pool and its movements over the last thirty days, oldest first. A partner sees only its own movements, and not what providers hold. */
export async function readPoolFigures(ctx: Uses<"db">, { isOperator = false } = {}): Promise<PoolFigures[]> {
  return await ctx.db.transaction(
    async (tx) => {
      const today = startOfDay(await readBusinessNow(tx));
      const first = new Date(today.getTime() - (DAYS - 1) * DAY_MS);
      const pools = await listPools(tx);
      const marks = new Map((await listPoolMarks(tx)).map((mark) => [mark.currency, mark]));
      const moved = Map.groupBy(await listPoolDays(tx, first), ({ currency }) => currency);
      const providers = isOperator ? await listProviderBalances(tx) : [];
      return pools.map((pool) => {
        const provider = providers.find(({ currency }) => currency === pool.currency) ?? null;
        const { lowWaterMinor = 0n, pendingInMinor = 0n } = marks.get(pool.currency) ?? {};
        return { ...pool, lowWaterMinor, pendingInMinor, provider, days: walkBack(pool.totalMinor, today, moved.get(pool.currency) ?? []) };
      });
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

/** Computed backwards from the present balance: the end of each day is the next day's end minus that day's movements. */
function walkBack(nowMinor: bigint, today: Date, moved: readonly { day: Date; inMinor: bigint; outMinor: bigint }[]): PoolDay[] {
  const known = new Map(moved.map((each) => [each.day.getTime(), each]));
  const days: PoolDay[] = [];
  let totalMinor = nowMinor;
  for (let index = 0; index < DAYS; index += 1) {
    const day = new Date(today.getTime() - index * DAY_MS);
    const { inMinor, outMinor } = known.get(day.getTime()) ?? { inMinor: 0n, outMinor: 0n };
    days.unshift({ day, inMinor, outMinor, totalMinor });
    totalMinor -= inMinor - outMinor;
  }
  return days;
}

function startOfDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}
