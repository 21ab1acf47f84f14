import { and, eq } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { among } from "#db/rows.ts";
import { auditEntries } from "#db/schema/audit-log.ts";

/** Who did something to an object: the actor's kind, and its id. */
export type Maker = { type: string; id: string | null };

/** Who did that action to each of the objects, by the audit log; an object that nobody did it to is not among them. */
export async function findMakers(db: Database, action: string, objectIds: readonly string[]): Promise<Map<string, Maker>> {
  const { objectId, actorType: type, actorId: id } = auditEntries;
  const rows = await db
    .select({ objectId, type, id })
    .from(auditEntries)
    .where(and(among(objectId, objectIds), eq(auditEntries.action, action)));
  return new Map(rows.map(({ objectId: object, ...maker }) => [object, maker]));
}
