import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { firstId, type IdKind } from "#domain/ids.ts";

/** A rule that holds for every row, asked of the database in two statements. */
export type AuditRule = {
  name: string;
  /** What it says, in words for people. */
  title: string;
  /** One column: how much there was to look at. */
  checked: SQL;
  /** `subject`, `detail` and, where it concerns one, `chain`: a row for each case where it does not hold. */
  violations: SQL;
};

/** `chain`: the lane that it concerns; null where it concerns none. */
export type AuditViolation = { subject: string; detail: string; chain: string | null };

export type RuleOutcome = { rule: string; title: string; checked: number; violations: AuditViolation[] };

/** Enough to see what is wrong; a rule that is broken everywhere need not name every row. */
const MOST_NAMED = 1_000;

export async function askRule(db: Database, rule: AuditRule): Promise<RuleOutcome> {
  const [count] = await db.execute<{ checked: string }>(sql`select (${rule.checked})::text as checked`);
  const rows = await db.execute<{ subject: string; detail: string; chain: string | null }>(
    sql`select subject, detail, chain from (${rule.violations}) as found(subject, detail, chain) order by subject limit ${MOST_NAMED}`,
  );
  return {
    rule: rule.name,
    title: rule.title,
    checked: Number(count?.checked ?? 0),
    violations: rows.map(({ subject, detail, chain }) => ({ subject, detail, chain })),
  };
}

/** Until the transaction ends, statements may take longer than any request's: a whole database is read. */
export async function allowLongStatements(tx: Database): Promise<void> {
  await tx.execute(sql`set local statement_timeout = '600s'`);
}

/** From when on rows are looked at, by the instant that their ids hold; null: all of them. */
export type AuditScope = Date | null;

/** Whether an id is within the scope. */
export function inScope(scope: AuditScope, kind: IdKind, column: SQL): SQL {
  return scope === null ? sql`true` : sql`${column} >= ${firstId(kind, scope)}`;
}
