import { eq } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { MACHINE } from "#domain/two-people.ts";

/** As whom the maker of a key counts: who got its secret, or who runs the machine, by a key that was made there; null: nobody known. */
export async function findMaker(db: Database, keyId: string): Promise<string | null> {
  const [row] = await db.select({ madeBy: apiKeys.madeBy, madeByKey: apiKeys.madeByKey }).from(apiKeys).where(eq(apiKeys.id, keyId));
  if (row === undefined) return null;
  return row.madeBy ?? (row.madeByKey === null ? null : MACHINE);
}
