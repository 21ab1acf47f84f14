import type { Database } from "#db/client.ts";
import { among } from "#db/rows.ts";
import { settlements } from "#db/schema/settlements.ts";

/** A settlement to lock. `partnerId`: only that partner's. `reference`: its future reference. */
export type ToLock = { id: string; partnerId?: string; reference?: string };

/** On Citus, which locks rows of one partner in a statement: one partner after another, always in the same order. */
export async function byPartner<Locked extends { id: string }>(
  db: Database,
  asked: readonly ToLock[],
  hold: (theirs: readonly ToLock[], partnerId: string) => Promise<Locked[]>,
): Promise<Locked[]> {
  const owners = await listOwners(
    db,
    asked.flatMap(({ id, partnerId }) => (partnerId === undefined ? [id] : [])),
  );
  const groups = Map.groupBy(asked, ({ id, partnerId }) => partnerId ?? owners.get(id));
  const rows: Locked[] = [];
  for (const partnerId of [...groups.keys()].toSorted()) {
    if (partnerId !== undefined) rows.push(...(await hold(groups.get(partnerId) ?? [], partnerId)));
  }
  return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

async function listOwners(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: settlements.id, partnerId: settlements.partnerId })
    .from(settlements)
    .where(among(settlements.id, ids));
  return new Map(rows.map(({ id, partnerId }) => [id, partnerId]));
}
