import { eq } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { partners } from "#db/schema/partners.ts";

export type PartnerRow = typeof partners.$inferSelect;

export async function insertPartner(db: Database, partner: typeof partners.$inferInsert): Promise<void> {
  await db.insert(partners).values(partner);
}

export async function findPartner(db: Database, id: string): Promise<PartnerRow | null> {
  const [row] = await db.select().from(partners).where(eq(partners.id, id));
  return row ?? null;
}
