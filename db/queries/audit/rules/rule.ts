import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { KNOWN_TO_CITUS } from "#db/distribution.ts";
import { layoutOf } from "#db/transaction.ts";
import { firstId, type IdKind } from "#domain/ids.ts";

/** A rule about every row, checked with two statements. */
export type AuditRule = {
  name: string;
  /** The rule in words for people. */
  title: string;
  /** One column: how many rows were checked. */
  checked: SQL;
  /** `subject`, `detail` and, where it concerns one, `chain`: a row for each violation. */
  violations: SQL;
  /** A rule about totals, which cannot be checked slice by slice. */
  isWhole?: boolean;
};

/** `chain`: the chain that it concerns; null where it concerns none. `missingBase`: the amount of missing money, in base units. */
export type AuditViolation = { subject: string; detail: string; chain: string | null; missingBase?: bigint };

export type RuleOutcome = { rule: string; title: string; checked: number; violations: AuditViolation[] };

/** Enough to see the problem; a rule that is broken everywhere need not name every row. */
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

/** Reads at one instant, so that concurrent writes do not look like violations. Per slice, because vacuum waits for it. */
export async function asOfOneInstant<Result>(db: Database, work: (tx: Database) => Promise<Result>): Promise<Result> {
  const reading = async (tx: Database) => {
    await allowLongStatements(tx);
    if (onCitus) await copyForRules(tx);
    return await work(tx);
  };
  const onCitus = layoutOf(db) === "citus";
  return await db.transaction(reading, { isolationLevel: "repeatable read", accessMode: onCitus ? "read write" : "read only" });
}

/**
 * On Citus: the rules compare rows of all tables, which it refuses. They read temporary copies on the coordinator, which hide the tables
 * until the transaction ends, or until it reads the next slice. Each node's rows are of a slightly different instant.
 */
async function copyForRules(tx: Database): Promise<void> {
  for (const name of KNOWN_TO_CITUS) {
    const table = sql.identifier(name);
    await tx.execute(sql`drop table if exists pg_temp.${table}`);
    await tx.execute(sql`create temporary table ${table} (like public.${table} including indexes) on commit drop`);
    await tx.execute(sql`insert into ${table} select * from public.${table}`);
  }
}

/** Until the transaction ends, statements may take longer than any request's: a whole database is read. */
export async function allowLongStatements(tx: Database): Promise<void> {
  await tx.execute(sql`set local statement_timeout = '600s'`);
}

/** The beginning of the checked rows, by the instants in their ids; null: all rows. */
export type AuditScope = Date | null;

/** A slice of rows, by the instants in their ids: from inclusive, to exclusive; null: without that bound. */
export type AuditSlice = { from: Date | null; to: Date | null };

/** Whether an id is within the scope, or the slice. */
export function inScope(scope: AuditScope | AuditSlice, kind: IdKind, column: SQL): SQL {
  const { from, to } = scope === null || scope instanceof Date ? { from: scope, to: null } : scope;
  const bounds = [from && sql`${column} >= ${firstId(kind, from)}`, to && sql`${column} < ${firstId(kind, to)}`];
  const said = bounds.filter((bound) => bound !== null);
  return said.length === 0 ? sql`true` : sql`(${sql.join(said, sql` and `)})`;
}

/** The beginning of later rows that belong to the rows of a slice. */
export function sinceOf(scope: AuditScope | AuditSlice): AuditScope {
  return scope === null || scope instanceof Date ? scope : scope.from;
}
