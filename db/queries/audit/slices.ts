import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { firstId, type IdKind, timeOfId } from "#domain/ids.ts";

/** What the audit's rules are about, row by row. */
const WALKED: readonly [table: string, kind: IdKind][] = [
  ["settlements", "settlement"],
  ["withdrawals", "withdrawal"],
  ["topups", "topup"],
  ["transfers", "transfer"],
  ["callbacks", "callback"],
  ["ledger_entries", "ledgerEntry"],
];

/** The end of a slice with this beginning and at most about this many rows of each table; null: the rest fits into one slice. */
export async function endOfSlice(db: Database, from: Date | null, rows: number): Promise<Date | null> {
  const asked = WALKED.map(
    ([table, kind]) =>
      sql`(select id from ${sql.identifier(table)} where id >= ${from === null ? "" : firstId(kind, from)} order by id offset ${rows}::int limit 1)`,
  );
  const found = await db.execute<{ id: string }>(sql.join(asked, sql` union all `));
  const times = found.flatMap(({ id }) => timeOfId(id)?.getTime() ?? []);
  if (times.length === 0) return null;
  // Whatever was made within one millisecond stays together.
  return new Date(Math.max(Math.min(...times), from === null ? 0 : from.getTime() + 1));
}
