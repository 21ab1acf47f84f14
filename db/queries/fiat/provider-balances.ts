import { asc, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { providerBalances } from "#db/schema/fiat-provider.ts";
import type { BookedPool, ProviderBalance } from "#domain/provider-balance.ts";

/**
 * The currencies whose turn it is: an hour after they were asked about, or five minutes after where nobody answered or the balance
 * differed. They count as asked from now on, so only one of several workers asks, even if the other's transaction began a moment later. A time
 * that is more than five minutes ahead means that the clock was put back: then it is their turn too.
 */
export async function claimBalances(db: Database): Promise<string[]> {
  const rows = await db.execute<{ currency: string }>(sql`
    insert into provider_balances as b (currency, asked_at) select currency, (select business_now()) from fiat_pools
    on conflict (currency) do update set asked_at = excluded.asked_at
    where b.asked_at <= excluded.asked_at - interval '1 hour' or b.asked_at > excluded.asked_at + interval '5 minutes'
      or (b.asked_at <= excluded.asked_at - interval '5 minutes' and (b.answered_at is null or b.answered_at < b.asked_at or b.difference_minor <> 0))
    returning currency`);
  return rows.map(({ currency }) => currency);
}

/** What the books say of each pool, and what providers may have done with orders that they have not reported. */
export async function listBookedPools(db: Database): Promise<BookedPool[]> {
  const rows = await db.execute<{ currency: string; total: string; paying_out: string; collecting: string }>(sql`
    select f.currency, f.total_minor::text as total,
      coalesce((select sum(w.amount_minor) from promised_withdrawals w where w.currency = f.currency and w.step = 'paying_out'), 0)::text as paying_out,
      coalesce((select sum(t.amount_minor) from topups t where t.currency = f.currency
        and (t.due_at is not null or t.ambiguous_since is not null) and (t.step = 'collecting' or t.late_paid_at is not null)), 0)::text as collecting
    from fiat_pools f order by f.currency`);
  return rows.map(({ currency, total, paying_out, collecting }) => {
    return { currency, totalMinor: BigInt(total), payingOutMinor: BigInt(paying_out), collectingMinor: BigInt(collecting) };
  });
}

export async function listProviderBalances(db: Database): Promise<ProviderBalance[]> {
  return await db.select().from(providerBalances).orderBy(asc(providerBalances.currency));
}

/** Stores what came of asking; `askedAt` stays. */
export async function saveProviderBalance(tx: Database, { currency, askedAt: _, ...found }: ProviderBalance): Promise<void> {
  await tx.update(providerBalances).set(found).where(eq(providerBalances.currency, currency));
}
