import { and, asc, desc, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { scopeHalts } from "#db/schema/scope-halts.ts";
import { layoutOf } from "#db/transaction.ts";
import { HALT_CAUSES, type HaltCause, type HaltScope, type ScopeHalt } from "#domain/halt-scope.ts";
import { newId } from "#domain/ids.ts";

export type NewHalt = Pick<ScopeHalt, "scope" | "cause" | "detail" | "evidence" | "haltedBy">;

/** Halts the scope. Null when it is halted already: a scope has at most one open halt, and the first one names the cause. */
export async function insertHalt(tx: Database, halt: NewHalt, now: Date): Promise<ScopeHalt | null> {
  const { scope, ...rest } = halt;
  const rows = await tx
    .insert(scopeHalts)
    .values({ ...rest, id: newId("scopeHalt", now), scopeKind: scope.kind, scopeKey: scope.key, since: now })
    .onConflictDoNothing()
    .returning();
  return rows[0] ? toHalt(rows[0]) : null;
}

/** The halted ones of the scopes, oldest first. */
export async function findOpenHalts(db: Database, scopes: readonly HaltScope[]): Promise<ScopeHalt[]> {
  if (scopes.length === 0) return [];
  const wanted = or(...scopes.map(({ kind, key }) => and(eq(scopeHalts.scopeKind, kind), eq(scopeHalts.scopeKey, key))));
  return await listHalts(db, and(isNull(scopeHalts.liftedAt), wanted));
}

/** The halts of everything, of the chain, or of any of its wallets, oldest first. */
export async function listHaltsOfChain(db: Database, chain: string): Promise<ScopeHalt[]> {
  const ofWallet = sql`(${scopeHalts.scopeKind} = 'wallet' and ${scopeHalts.scopeKey} in (select id::text from wallets where chain = ${chain}))`;
  const ofChain = and(eq(scopeHalts.scopeKind, "chain"), eq(scopeHalts.scopeKey, chain));
  return await listHalts(db, and(isNull(scopeHalts.liftedAt), or(eq(scopeHalts.scopeKind, "all"), ofChain, ofWallet)));
}

/**
 * Those of the transfers whose partner, or whose settlement's pair, is halted, with the oldest such halt. For wallets, chains and
 * everything: `pays`.
 */
export async function listStopped(db: Database, transferIds: readonly string[]): Promise<Map<string, Pick<ScopeHalt, "cause">>> {
  if (transferIds.length === 0) return new Map();
  const rows = await db.execute<{ id: string; cause: ScopeHalt["cause"] }>(sql`
    select distinct on (t.id) t.id, h.cause from transfers t
      left join ${layoutOf(db) === "citus" ? sql`lateral citus_settlement(t.owner_id, t.partner_id)` : sql`settlements`} s on t.purpose = 'settlement' and s.id = t.owner_id and of_partner(s.partner_id, t.partner_id)
      join lane_halts h on h.lifted_at is null and ((h.lane_kind = 'partner' and h.lane_key = t.partner_id::text)
        or (h.lane_kind = 'pair' and h.lane_key = ${pairOf("s")}))
    where t.id = any(array(select jsonb_array_elements_text(${JSON.stringify(transferIds)}::jsonb))) order by t.id, h.since`);
  return new Map(rows.map(({ id, cause }) => [id, { cause }]));
}

/** The key of the pair's scope, of a row of `settlements` under that name. */
export function pairOf(settlement: "s" | "settlements"): SQL {
  const of = sql.raw(settlement);
  return sql`concat_ws(' ', ${of}.source_currency, ${of}.destination_currency, ${of}.chain)`;
}

/** Those of the transfers that a halt, open or lifted, names as owed by nobody. */
export async function listReportedUnowed(db: Database, transferIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.execute<{ id: string }>(sql`
    select n.id from jsonb_array_elements_text(${JSON.stringify(transferIds)}::jsonb) as n(id) where exists (
      select from lane_halts h where h.cause = 'unowed_payment'
        and h.evidence @> jsonb_build_object('unowed', jsonb_build_array(jsonb_build_object('transfer_id', n.id))))`);
  return new Set(rows.map(({ id }) => id));
}

/** Whether a halt, open or lifted, has named this transaction for this cause: people have seen it. */
export async function wasHaltedFor(tx: Database, cause: HaltCause, hash: string): Promise<boolean> {
  const isNamed = and(eq(scopeHalts.cause, cause), sql`${scopeHalts.evidence} ->> 'hash' = ${hash}`);
  return (await tx.select({ id: scopeHalts.id }).from(scopeHalts).where(isNamed).limit(1)).length > 0;
}

/** All halted scopes, oldest first. There are never many. */
export async function listAllOpenHalts(db: Database): Promise<ScopeHalt[]> {
  return await listHalts(db, isNull(scopeHalts.liftedAt));
}

async function listHalts(db: Database, only: SQL | undefined): Promise<ScopeHalt[]> {
  return (await db.select().from(scopeHalts).where(only).orderBy(asc(scopeHalts.since), asc(scopeHalts.id))).map(toHalt);
}

/** The scopes that were lifted last, newest first. */
export async function listLiftedHalts(db: Database, limit: number): Promise<ScopeHalt[]> {
  const rows = await db
    .select()
    .from(scopeHalts)
    .where(sql`${scopeHalts.liftedAt} is not null`)
    .orderBy(desc(scopeHalts.liftedAt))
    .limit(limit);
  return rows.map(toHalt);
}

/** Holds the row until the transaction ends. */
export async function lockHalt(tx: Database, id: string): Promise<ScopeHalt | null> {
  const rows = await tx.select().from(scopeHalts).where(eq(scopeHalts.id, id)).for("update");
  return rows[0] ? toHalt(rows[0]) : null;
}

export async function findHalt(db: Database, id: string): Promise<ScopeHalt | null> {
  const rows = await db.select().from(scopeHalts).where(eq(scopeHalts.id, id));
  return rows[0] ? toHalt(rows[0]) : null;
}

/** Lifts an open halt. False when it is lifted already. */
export async function saveLift(tx: Database, id: string, lift: NonNullable<ScopeHalt["lift"]>): Promise<boolean> {
  const { count } = await tx
    .update(scopeHalts)
    .set({ liftedAt: lift.at, liftedBy: lift.by, liftConfirmedBy: lift.confirmedBy, liftReason: lift.reason })
    .where(and(eq(scopeHalts.id, id), isNull(scopeHalts.liftedAt)));
  return count === 1;
}

function toHalt(row: typeof scopeHalts.$inferSelect): ScopeHalt {
  const { id, detail, evidence, since, haltedBy, liftedAt, liftedBy, liftConfirmedBy, liftReason } = row;
  // A newer release may know more causes. Its halts must stop this one too.
  const cause = HALT_CAUSES.find((known) => known === row.cause) ?? "broken_invariant";
  const lift =
    liftedAt === null || liftedBy === null || liftReason === null
      ? null
      : { at: liftedAt, by: liftedBy, confirmedBy: liftConfirmedBy, reason: liftReason };
  return { id, scope: { kind: row.scopeKind, key: row.scopeKey }, cause, detail, evidence, since, haltedBy, lift };
}
