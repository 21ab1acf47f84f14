import { and, eq, isNull } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { transfers } from "#db/schema/transfers.ts";
import { wakeTransfers } from "./transfers.ts";

/** Records an operator's order on a locked transfer, and wakes the worker that carries it out. */
export async function saveWish(tx: Database, id: string, wish: "cancel" | "bump", now: Date): Promise<void> {
  await tx
    .update(transfers)
    .set({ ...(wish === "cancel" ? { cancelRequestedAt: now } : { bumpRequestedAt: now }), updatedAt: now })
    .where(eq(transfers.id, id));
  await wakeTransfers(tx);
}

/** Withdraws the order for a cancellation, on a locked transfer, and wakes the worker. */
export async function clearCancelWish(tx: Database, id: string, now: Date): Promise<void> {
  await tx.update(transfers).set({ cancelRequestedAt: null, updatedAt: now }).where(eq(transfers.id, id));
  await wakeTransfers(tx);
}

export async function clearBumpWish(tx: Database, id: string): Promise<void> {
  await tx.update(transfers).set({ bumpRequestedAt: null }).where(eq(transfers.id, id));
}

/** Has the worker look at a locked transfer at once that rests; who works on it just now keeps it. */
export async function lookNow(tx: Database, id: string): Promise<void> {
  await tx
    .update(transfers)
    .set({ restUntil: null, leaseUntil: null })
    .where(and(eq(transfers.id, id), isNull(transfers.leaseToken)));
  await wakeTransfers(tx);
}
