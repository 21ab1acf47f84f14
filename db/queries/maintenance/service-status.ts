import { asc, desc, eq, gte, inArray, isNull, or, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { statusDays, statusIncidents, statusNotes } from "#db/schema/service-status.ts";
import { newId } from "#domain/ids.ts";
import {
  type Disruption,
  disruptionKey,
  type ServiceState,
  STATUS_DAYS,
  type StatusHistory,
  type StatusIncident,
  type StatusNote,
  type SurfaceId,
  splitByDay,
  stateOf,
} from "#domain/service-status.ts";

type Span = { from: Date; until: Date };

/**
 * Adds a span to the days that it touches. Whatever another process has counted already is left out, so several may write the same time. No
 * span reaches beyond the database's own clock.
 */
export async function addStatusTime(
  db: Database,
  span: Span,
  { surfaces, disruptions }: { surfaces: readonly SurfaceId[]; disruptions: readonly Disruption[] },
): Promise<void> {
  const rows = splitByDay(span).flatMap(({ day, from, until }) =>
    surfaces.map((surface) => ({
      day,
      surface,
      state: stateOf(surface, disruptions),
      from: from.toISOString(),
      until: until.toISOString(),
    })),
  );
  const lasted = (state: ServiceState) => sql`case when state = ${state} then ms else 0 end`;
  const added = (name: string) => {
    const [had, more] = [sql.raw(`d.${name}`), sql.raw(`excluded.${name}`)];
    const fresh = sql`extract(epoch from excluded.covered_until - d.covered_until) * 1000`;
    return sql`${had} + greatest(0, least(${more}, ${fresh}))`;
  };
  await db.execute(sql`
    with parts as (
      select day, surface, state, least(until, clock_timestamp()) as until,
        greatest(0, extract(epoch from least(until, clock_timestamp()) - "from") * 1000)::int as ms
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(day date, surface text, state text, "from" timestamptz, until timestamptz)
    )
    insert into status_days as d (day, surface, operational_ms, degraded_ms, down_ms, covered_until)
    select day, surface, ${lasted("operational")}, ${lasted("degraded")}, ${lasted("down")}, until from parts order by day, surface
    on conflict on constraint status_days_day_surface_pk do update set
      operational_ms = ${added("operational_ms")}, degraded_ms = ${added("degraded_ms")}, down_ms = ${added("down_ms")},
      covered_until = greatest(d.covered_until, excluded.covered_until)`);
}

/** Opens an incident for each disruption of a span, or says how far the open one has come. */
export async function keepIncidents(db: Database, span: Span, disruptions: readonly Disruption[]): Promise<void> {
  if (disruptions.length === 0) return;
  await db
    .insert(statusIncidents)
    .values(
      disruptions.map((disruption) => ({
        id: newId("statusIncident", span.from),
        key: disruptionKey(disruption),
        cause: disruption.cause,
        chain: disruption.chain,
        impairs: { ...disruption.impairs } as Record<string, "degraded" | "down">,
        beganAt: span.from,
        seenUntil: span.until,
      })),
    )
    .onConflictDoUpdate({
      target: statusIncidents.key,
      targetWhere: sql`ended_at is null`,
      set: {
        seenUntil: sql`greatest(${statusIncidents.seenUntil}, excluded.seen_until)`,
        impairs: sql`${statusIncidents.impairs} || excluded.impairs`,
      },
    });
}

/** Ends what no look has found since an instant. */
export async function endIncidents(db: Database, unseenSince: Date): Promise<void> {
  await db.execute(sql`
    update status_incidents set ended_at = seen_until where ended_at is null and seen_until < ${unseenSince.toISOString()}::timestamptz`);
}

/** The disruptions that last. */
export async function listOpenStatusIncidents(db: Database): Promise<Pick<StatusIncident, "id" | "cause" | "chain">[]> {
  const { id, cause, chain } = statusIncidents;
  return await db
    .select({ id, cause, chain })
    .from(statusIncidents)
    .where(isNull(statusIncidents.endedAt))
    .orderBy(statusIncidents.beganAt);
}

/** The newest note about each disruption that lasts. */
export async function listOpenNotes(db: Database): Promise<(StatusNote & { incidentId: string })[]> {
  const { incidentId, at, text } = statusNotes;
  return await db
    .selectDistinctOn([incidentId], { incidentId, at, text })
    .from(statusNotes)
    .innerJoin(statusIncidents, eq(statusIncidents.id, incidentId))
    .where(isNull(statusIncidents.endedAt))
    .orderBy(incidentId, desc(at));
}

/** Deletes what the page no longer shows. */
export async function forgetStatus(db: Database): Promise<void> {
  const old = sql`(clock_timestamp() at time zone 'utc')::date - ${STATUS_DAYS}::int`;
  await db.execute(sql`delete from status_days where day < ${old}`);
  await db.execute(sql`delete from status_incidents where ended_at < ${old}`);
}

/**
 * The days of the page, and the incidents that begin or last in them and took at least `fromMs`.
 *
 * @param since the first day of the page
 */
export async function readStatusHistory(db: Database, since: string, fromMs: number): Promise<StatusHistory> {
  const days = await db
    .select({
      day: statusDays.day,
      surface: statusDays.surface,
      operationalMs: statusDays.operationalMs,
      degradedMs: statusDays.degradedMs,
      downMs: statusDays.downMs,
    })
    .from(statusDays)
    .where(gte(statusDays.day, since));
  const lasted = sql`extract(epoch from ${statusIncidents.seenUntil} - ${statusIncidents.beganAt}) * 1000 >= ${fromMs}::int`;
  const rows = await db
    .select()
    .from(statusIncidents)
    .where(sql`${lasted} and ${or(gte(statusIncidents.endedAt, new Date(since)), sql`${statusIncidents.endedAt} is null`)}`)
    .orderBy(desc(statusIncidents.beganAt))
    .limit(MOST_INCIDENTS);
  const notes = await listNotes(
    db,
    rows.map(({ id }) => id),
  );
  return { days, incidents: rows.map(({ key: _key, seenUntil: _seenUntil, ...row }) => ({ ...row, notes: notes.get(row.id) ?? [] })) };
}

const MOST_INCIDENTS = 200;

async function listNotes(db: Database, ids: readonly string[]): Promise<Map<string, StatusNote[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(statusNotes)
    .where(inArray(statusNotes.incidentId, [...ids]))
    .orderBy(asc(statusNotes.at));
  return Map.groupBy(rows, ({ incidentId }) => incidentId);
}

/** Adds a note. False: there is no such incident. */
export async function insertStatusNote(db: Database, incidentId: string, note: StatusNote): Promise<boolean> {
  const rows = await db.execute(sql`
    insert into status_notes (incident_id, at, text)
    select id, ${note.at.toISOString()}::timestamptz, ${note.text} from status_incidents where id = ${incidentId} returning 1`);
  return rows.length > 0;
}
