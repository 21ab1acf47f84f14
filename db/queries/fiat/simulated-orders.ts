import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { Lease } from "#db/lease.ts";
import { simulatedOrders } from "#db/schema/fiat-provider.ts";

export type SimulatedOrder = typeof simulatedOrders.$inferSelect;
type NewOrder = Omit<SimulatedOrder, "callsMade" | "leaseUntil" | "leaseToken">;

/** Stores an order unless it exists, and returns the stored one. */
export async function keepSimulatedOrder(db: Database, order: NewOrder): Promise<SimulatedOrder> {
  await db
    .insert(simulatedOrders)
    .values({ ...order, callsMade: 0 })
    .onConflictDoNothing();
  const kept = await findSimulatedOrder(db, order.id);
  if (kept === null) throw new Error("an order that was just stored is not there");
  return kept;
}

export async function findSimulatedOrder(db: Database, id: string): Promise<SimulatedOrder | null> {
  const [row] = await db.select().from(simulatedOrders).where(eq(simulatedOrders.id, id));
  return row ?? null;
}

/** Releases an order: records how many of its calls are made, and when the next is due. */
export async function settleCall(db: Database, lease: Lease, next: { callsMade?: number; dueAt: Date | null }): Promise<void> {
  await db
    .update(simulatedOrders)
    .set({ ...next, leaseUntil: null, leaseToken: null })
    .where(and(eq(simulatedOrders.id, lease.id), eq(simulatedOrders.leaseToken, lease.token)));
}

/**
 * What the simulated provider holds: what the operator paid in, what it has settled by its own orders, less what people booked as gone. An
 * order of the sandbox's history, which it never had, counts as the books have it.
 */
export async function sumSimulatedBalances(db: Database): Promise<{ currency: string; amountMinor: bigint }[]> {
  const settled = sql`(s.settles_at <= (select business_now()) and s.outcome ->> 'status' = 'succeeded')`;
  const rows = await db.execute<{ currency: string; amount: string }>(sql`
    select f.currency, (
      coalesce((select sum(p.amount) from ledger_entries e join ledger_postings p on p.entry_id = e.id and p.account = 'fiat_pool'
        where e.cause = 'pool' and p.currency = f.currency), 0)
      + coalesce((select sum(t.amount_minor) from topups t left join simulated_orders s on s.id = t.id
        where t.currency = f.currency and case when s.id is null then t.step in ('sending', 'sent', 'unsent') else ${settled} end), 0)
      - coalesce((select sum(w.amount_minor) from withdrawals w left join simulated_orders s on s.id = w.id
        where w.currency = f.currency and case when s.id is null then w.step = 'paid' else ${settled} end), 0)
      - coalesce((select sum(b.amount_minor) from bookings b
        where b.currency = f.currency and b.kind in ('provider_cost', 'fiat_loss', 'late_refund') and b.reversed_at is null), 0))::text as amount
    from fiat_pools f`);
  return rows.map(({ currency, amount }) => ({ currency, amountMinor: BigInt(amount) }));
}
