import { and, eq } from "drizzle-orm";
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
