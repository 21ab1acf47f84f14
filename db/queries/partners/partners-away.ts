import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { unlessNodeAway } from "#db/trouble.ts";

/** Which of these partners have their rows on a node that is away. Each is asked alone. */
export async function listPartnersAway(db: Database, partnerIds: readonly string[]): Promise<Set<string>> {
  const away = new Set<string>();
  for (const id of partnerIds) {
    const asked = db.execute(sql`select 1 from idempotency_keys where partner_id = ${id}::uuid limit 1`);
    if ((await unlessNodeAway(asked)) === null) away.add(id);
  }
  return away;
}
