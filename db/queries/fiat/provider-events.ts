import { asc, eq } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { providerEvents } from "#db/schema/provider-events.ts";

export type ProviderEvent = typeof providerEvents.$inferSelect;

/** Notes a word of the provider's, whatever it did. */
export async function insertProviderEvent(db: Database, event: ProviderEvent): Promise<void> {
  await db.insert(providerEvents).values(event);
}

/** All that the provider ever said about an order, in the order in which it came. */
export async function listProviderEvents(db: Database, orderId: string): Promise<ProviderEvent[]> {
  return await db.select().from(providerEvents).where(eq(providerEvents.orderId, orderId)).orderBy(asc(providerEvents.id));
}
