import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { ringForEvents } from "#db/event-bell.ts";
import { recordsOf } from "#db/rows.ts";
import { events } from "#db/schema/events.ts";
import { type Params, rowOfParams, statement } from "#db/statement.ts";
import { layoutOf, sendAhead } from "#db/transaction.ts";
import { type EventObject, type NewEvent, objectOf } from "#domain/event.ts";
import { eventRow } from "./event-row.ts";
import { recordOnNodes } from "./events-on-nodes.ts";

const COLUMNS = ["id", "type", "objectId", "partnerId", "audience", "createdAt", "data"];

/** As {@link eventRow}, of several: one parameter. */
export function eventRecords(made: readonly NewEvent[]): { events: string } {
  return { events: recordsOf(events, made.map(eventRow)) };
}

/** Where {@link eventPart} finds its events: in `events`, or in the one row `event`. */
export const eventsIn = (param: Params<{ events: string }>): SQL =>
  sql`json_to_recordset(${param("events")}::text::json)
  as event(id text, type text, object_id text, partner_id uuid, audience text, created_at timestamptz, data json)`;
export const eventIn = (param: Params<{ event: object }>): SQL => rowOfParams(param, "event", events, COLUMNS);

/** The number of this transaction, as a place in the order of events. */
export const HERE = sql`pg_current_xact_id()::text::bigint`;

/**
 * The part of a `with` that writes events. `counted`: a part with `object_id`, `version` and `position` of each object; null: the objects
 * are new.
 */
export function eventPart(found: SQL, object: EventObject, counted: SQL | null): SQL {
  const count = counted === null ? sql`${HERE}, 1` : sql`c.position, c.version`;
  return sql`recorded as (insert into events (id, partner_id, position, version, object_type, object_id, type, audience, created_at, data)
    select event.id, event.partner_id, ${count}, ${sql.raw(`'${object}'`)}, event.object_id, event.type, event.audience, event.created_at, event.data
    from ${found}${counted === null ? sql`` : sql` join ${counted} as c on c.object_id = event.object_id`})`;
}

/** The part of a `with` that writes events of settlements which have their places already. */
export const placedPart = (param: Params<{ events: string }>): SQL => sql`
  recorded as (insert into events (id, partner_id, position, version, object_type, object_id, type, audience, created_at, data)
    select id, partner_id, position, version, 'settlement', object_id, type, audience, created_at, data
    from json_to_recordset(${param("events")}::text::json) as event(id text, type text, object_id text, partner_id uuid, audience text,
      created_at timestamptz, data json, position bigint, version integer))`;

/**
 * Records changes that partners may follow, in the transaction of the changes: one statement, sent ahead of what follows. The objects are
 * locked, so that versions are in the order of the changes. One event an object.
 */
export async function recordEvents(tx: Database, made: readonly NewEvent[]): Promise<void> {
  const [first] = made;
  if (first === undefined) return;
  const write = objectOf(first.type) === "settlement" ? ofSettlements(tx, made) : ofOthers(tx, first, made);
  await sendAhead(tx, write);
  for (const { partnerId } of made) ringForEvents(tx, partnerId);
}

async function ofSettlements(tx: Database, made: readonly NewEvent[]): Promise<void> {
  if (layoutOf(tx) === "citus") return await recordOnNodes(tx, made);
  await counted(tx, { ...eventRecords(made), ids: JSON.stringify(made.map(({ objectId }) => objectId)) });
}

const counted = statement<{ events: string; ids: string }, Record<string, never>>(
  (param) => sql`
    with counted as (select * from count_settlement_events(array(select jsonb_array_elements_text(${param("ids")}::text::jsonb)))),
    ${eventPart(eventsIn(param), "settlement", sql`counted`)} select`,
);

type Counted = (db: Database, values: { events: string }) => Promise<Record<string, never>[]>;
const statements = new Map<EventObject, Counted>();

async function ofOthers(tx: Database, { type }: NewEvent, made: readonly NewEvent[]): Promise<void> {
  const object = objectOf(type);
  const write = statements.get(object) ?? counting(object);
  statements.set(object, write);
  await write(tx, eventRecords(made));
}

const counting = (object: EventObject): Counted =>
  statement<{ events: string }, Record<string, never>>(
    (param) => sql`
    with counted as (insert into event_counters (object_id, partner_id, recorded, position) select event.object_id, event.partner_id, 1, ${HERE} from ${eventsIn(param)}
      on conflict on constraint event_counters_partner_id_object_id_pk do update set recorded = event_counters.recorded + 1,
        position = greatest(event_counters.position, excluded.position)
      returning object_id, recorded as version, position),
    ${eventPart(eventsIn(param), object, sql`counted`)} select`,
  );
