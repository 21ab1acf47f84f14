import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { Raw } from "#db/columns.ts";
import { among } from "#db/rows.ts";
import { events } from "#db/schema/events.ts";
import type { EventAudience, EventPlace, EventType, PartnerEvent } from "#domain/event.ts";
import { dataOf, type KeptData } from "#domain/kept-event.ts";

/** Which events of a partner. `types` null: all. */
export type EventFilter = { partnerId: string; audiences: readonly EventAudience[]; types: readonly EventType[] | null };

/** Where a reader goes on, and in which line of the database's history it came there (`event_epochs`). */
export type EventCursor = { epoch: number; place: EventPlace };

export type EventPage = {
  events: (PartnerEvent & { place: EventPlace })[];
  /** Before this position nothing is missing any more. */
  horizon: bigint;
  epoch: number;
  /** The last deleted event; null: none was. */
  floor: EventPlace | null;
  /** Where it began to read. */
  from: EventPlace;
  /** The last one looked at, where not all were: then it ended before the horizon. */
  lookedUntil: EventPlace | null;
};

/** So many events are looked at for those of some types. */
const LOOKED_AT = 2_000;

type PageRow = Raw<{
  horizon: bigint;
  epoch: number;
  fromPosition: bigint;
  fromVersion: number;
  fromId: string;
  floor: { position: string; version: number; id: string } | null;
  last: { position: string; version: number; id: string } | null;
  looked: number;
  found: {
    id: string;
    type: EventType;
    createdAt: string;
    position: string;
    version: number;
    data: KeptData;
    objectId: string;
    objectType: PartnerEvent["objectType"];
  }[];
}>;

/**
 * A page of events after a cursor, oldest first: one statement, so that the horizon is of the same instant. An event with a lower
 * position that is not visible yet has not committed, and holds the horizon below it. So no event is passed over. `after` null: from the oldest.
 */
export async function readEventPage(db: Database, filter: EventFilter, after: EventCursor | null, limit: number): Promise<EventPage> {
  const { partnerId, audiences, types } = filter;
  const isWhole = types === null && audiences.length > 1;
  const most = isWhole ? limit : Math.max(limit, LOOKED_AT);
  const fits = isWhole
    ? sql`true`
    : sql`audience in ${[...audiences]} ${types === null ? sql`` : sql`and type = any(array(select jsonb_array_elements_text(${JSON.stringify(types)}::jsonb)))`}`;
  const [row] = await db.execute<PageRow>(sql`
    with here as materialized (
      select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon, coalesce((select max(epoch) from event_epochs), 0) as epoch
    ), gone as materialized (
      select position, version, event_id as id from event_floors where partner_id = ${partnerId}::uuid
    ), start as materialized (${after === null ? FROM_OLDEST : fromCursor(after)}), looked as materialized (
      select e.id, e.type, e.audience, e.position, e.version from here, start,
        lateral (select * from events where partner_id = ${partnerId}::uuid and position >= start.position and position < here.horizon
          and (position, version, id) > (start.position, start.version, start.id) order by position, version, id limit ${most}) as e
    ), found as (select id from looked where ${fits} order by position, version, id limit ${limit})
    select here.horizon::text, here.epoch, start.position::text as "fromPosition", start.version as "fromVersion", start.id as "fromId",
      (select json_build_object('position', position::text, 'version', version, 'id', id) from gone) as floor,
      (select json_build_object('position', position::text, 'version', version, 'id', id) from looked order by position desc, version desc, id desc limit 1) as last,
      (select count(*)::int from looked) as looked,
      (select coalesce(json_agg(json_build_object('id', id, 'type', type, 'createdAt', created_at, 'position', position::text, 'version', version,
          'objectType', object_type, 'objectId', object_id, 'data', data) order by position, version, id), '[]')
        from events where partner_id = ${partnerId}::uuid and id in (select id from found)) as found
    from here, start`);
  if (row === undefined) throw new Error("a page of events has a row");
  const { horizon, epoch, floor, last, looked, found } = row;
  return {
    horizon: BigInt(horizon),
    epoch,
    floor: floor && placeOf(floor),
    from: placeOf({ position: row.fromPosition, version: row.fromVersion, id: row.fromId }),
    lookedUntil: looked === most && last !== null ? placeOf(last) : null,
    events: found.map(({ position, createdAt, data, ...event }) => ({
      ...event,
      data: dataOf(data),
      createdAt: new Date(createdAt),
      place: placeOf({ position, version: event.version, id: event.id }),
    })),
  };
}

const FROM_OLDEST = sql`select coalesce(max(position), 0) as position, coalesce(max(version), 0) as version, coalesce(max(id), '') as id from gone`;

/** In a later line than the cursor's, not after its begin: what comes then may have numbers that the cursor has passed. */
function fromCursor({ epoch, place: { position, version, id } }: EventCursor): SQL {
  const at = sql`${position.toString()}::bigint`;
  const began = sql`(select min(began) from event_epochs where epoch > ${epoch})`;
  return sql`select least(${at}, began) as position, case when began < ${at} then 0 else ${version}::int end as version,
    case when began < ${at} then '' else ${id} end as id from (select coalesce(${began}, ${at}) as began) b`;
}

const placeOf = ({ position, ...rest }: { position: string; version: number; id: string }): EventPlace => ({
  ...rest,
  position: BigInt(position),
});

/** The event of that id, if the partner has it and may see it. */
export async function findEvent(
  db: Database,
  id: string,
  { partnerId, audiences }: Omit<EventFilter, "types">,
): Promise<PartnerEvent | null> {
  const { type, createdAt, objectType, objectId, version, data } = events;
  const [row] = await db
    .select({ id: events.id, type, createdAt, objectType, objectId, version, data })
    .from(events)
    .where(and(eq(events.id, id), eq(events.partnerId, partnerId), among(events.audience, audiences)));
  return row === undefined ? null : { ...row, data: dataOf(row.data) };
}
