import { asc, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { unfinished } from "#db/queries/transfers/unfinished.ts";
import { incidentEntries, incidents } from "#db/schema/incidents.ts";
import type { IncidentEntry } from "#domain/incident.ts";

export type IncidentRecord = typeof incidents.$inferSelect;
export type NewIncident = Omit<IncidentRecord, "endedAt">;

/** Opens an incident. Returns the one that is open for the same trouble already, where there is one. */
export async function openIncident(tx: Database, incident: NewIncident): Promise<{ id: string; isNew: boolean }> {
  const [made] = await tx.insert(incidents).values(incident).onConflictDoNothing().returning({ id: incidents.id });
  if (made !== undefined) return { id: made.id, isNew: true };
  const [open] = await tx
    .select({ id: incidents.id })
    .from(incidents)
    .where(sql`${incidents.trouble} = ${incident.trouble} and ${incidents.endedAt} is null`);
  if (open === undefined) throw new Error("an incident that was open has ended in between");
  return { id: open.id, isNew: false };
}

/** Locked until the transaction ends, so that nobody adds to an incident that ends. */
export async function lockIncident(tx: Database, id: string): Promise<IncidentRecord | null> {
  const [row] = await tx.select().from(incidents).where(eq(incidents.id, id)).for("update");
  return row ?? null;
}

export async function endIncident(tx: Database, id: string, at: Date): Promise<void> {
  await tx.update(incidents).set({ endedAt: at }).where(eq(incidents.id, id));
}

export async function addEntry(tx: Database, entry: typeof incidentEntries.$inferInsert): Promise<void> {
  await tx.insert(incidentEntries).values(entry);
}

export async function findIncident(db: Database, id: string): Promise<IncidentRecord | null> {
  const [row] = await db.select().from(incidents).where(eq(incidents.id, id));
  return row ?? null;
}

/** Those that are open, and the newest of the others. */
export async function listIncidents(db: Database, ended: number): Promise<IncidentRecord[]> {
  const open = await db.select().from(incidents).where(isNull(incidents.endedAt)).orderBy(desc(incidents.openedAt));
  const others = await db
    .select()
    .from(incidents)
    .where(sql`${incidents.endedAt} is not null`)
    .orderBy(desc(incidents.openedAt))
    .limit(ended);
  return [...open, ...others];
}

/** The timelines, in their order. */
export async function listEntries(db: Database, ids: readonly string[]): Promise<Map<string, IncidentEntry[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(incidentEntries)
    .where(inArray(incidentEntries.incidentId, [...ids]))
    .orderBy(asc(incidentEntries.at), asc(incidentEntries.id));
  return Map.groupBy(rows, ({ incidentId }) => incidentId);
}

export type Stopped = { reason: string; payments: number; partners: number; currency: string; base: bigint; tokenDecimals: number };

type StoppedRow = { reason: string; payments: number; partners: number; currency: string; base: string; decimals: number };

/** What is not being paid, by why, in each token. It reads what is not ended, and no history. */
export async function sumStopped(db: Database): Promise<Stopped[]> {
  const rows = await db.execute<StoppedRow>(sql`
    select case when t.state = 'needs_review' then 'review' else t.waiting_kind end as reason, count(*)::int as payments,
      count(distinct t.partner_id)::int as partners, t.currency, sum(t.amount_base)::text as base, t.token_decimals as decimals
    from transfers t where ${unfinished("t")} and (t.state = 'needs_review' or t.waiting_kind is not null)
    group by 1, t.currency, t.token_decimals order by 1, t.currency`);
  return rows.map(({ base, decimals, ...row }) => ({ ...row, base: BigInt(base), tokenDecimals: decimals }));
}
