import { and, eq } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { auditEntries } from "#db/schema/audit-log.ts";

/** Who asked for a withdrawal, by the audit log: a key, or a person. */
export async function findRequester(db: Database, orderId: string): Promise<{ type: "user" | "api_key"; id: string } | null> {
  const [row] = await db
    .select({ type: auditEntries.actorType, id: auditEntries.actorId })
    .from(auditEntries)
    .where(and(eq(auditEntries.objectId, orderId), eq(auditEntries.action, "withdrawal.requested")));
  if (row === undefined || row.id === null || (row.type !== "user" && row.type !== "api_key")) return null;
  return { type: row.type, id: row.id };
}
