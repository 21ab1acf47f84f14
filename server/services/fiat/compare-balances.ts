import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { claimBalances, listBookedPools, listProviderBalances, saveProviderBalance } from "#db/queries/fiat/provider-balances.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { SYSTEM } from "#domain/access.ts";
import { fiatAmount } from "#domain/money.ts";
import { type BookedPool, balanceDifference, type ProviderBalance, sumBalances } from "#domain/provider-balance.ts";
import type { Uses } from "#server/context.ts";
import type { FiatRail } from "#server/ports.ts";

/** What a provider can be asked for, by its name. */
export type AskedRails = ReadonlyMap<string, Pick<FiatRail, "balances">>;

/**
 * Asks all providers once an hour what they hold, and compares the sum with the pools. A difference is kept with its amount and in the audit
 * log. An answer that is missing, late or of another form changes no verdict: the reason is kept, and it is asked again after five minutes.
 *
 * @returns whether it was time to ask
 */
export async function compareBalances(ctx: Uses<"db" | "log">, rails: AskedRails): Promise<boolean> {
  const asking = [...rails].filter(([, rail]) => rail.balances !== undefined);
  if (asking.length === 0) return false;
  const claimed = new Set(await claimBalances(ctx.db));
  if (claimed.size === 0) return false;
  const before = await listBookedPools(ctx.db);
  const answer = await ask(asking, rails.size - asking.length);
  const after = new Map((await listBookedPools(ctx.db)).map((pool) => [pool.currency, pool]));
  for (const pool of before) {
    const then = after.get(pool.currency);
    if (claimed.has(pool.currency) && then !== undefined) await keep(ctx, pool, then, answer);
  }
  return true;
}

type Answer = { sums: Map<string, bigint>; problem: null } | { sums: null; problem: string };

async function ask(asking: readonly (readonly [string, Pick<FiatRail, "balances">])[], silent: number): Promise<Answer> {
  if (silent > 0) return { sums: null, problem: "A configured provider cannot be asked for its balance." };
  try {
    const answers = await Promise.all(asking.map(async ([, rail]) => (await rail.balances?.()) ?? []));
    return { sums: sumBalances(answers), problem: null };
  } catch (error) {
    return { sums: null, problem: error instanceof Error ? error.message : String(error) };
  }
}

async function keep(ctx: Uses<"db" | "log">, before: BookedPool, after: BookedPool, { sums, problem }: Answer): Promise<void> {
  const { currency } = before;
  await ctx.db.transaction(async (tx) => {
    const stored = (await listProviderBalances(tx)).find((each) => each.currency === currency);
    if (stored === undefined) return;
    const now = await readBusinessNow(tx);
    const balanceMinor = sums?.get(currency) ?? null;
    if (balanceMinor === null) {
      const why = problem ?? `No provider says what it holds of ${currency}.`;
      await saveProviderBalance(tx, { ...stored, problem: why });
      ctx.log.warn({ currency, why }, "the fiat provider's balance is not known");
      return;
    }
    const differenceMinor = balanceDifference(balanceMinor, before, after);
    const differsSince = differenceMinor === 0n ? null : (stored.differsSince ?? now);
    const found: ProviderBalance = { ...stored, answeredAt: now, balanceMinor, differenceMinor, differsSince, problem: null };
    await saveProviderBalance(tx, found);
    if ((stored.differenceMinor ?? 0n) === differenceMinor) return;
    const change = {
      balance: fiatAmount(balanceMinor, currency),
      booked: fiatAmount(after.totalMinor, currency),
      difference: fiatAmount(differenceMinor, currency),
    };
    await insertAuditEntry(tx, { by: SYSTEM, partnerId: null, action: "pool.compared", objectId: currency, change, now });
    if (differenceMinor !== 0n) ctx.log.error({ currency, ...change }, "the fiat provider holds another amount than the books say");
  });
}
