import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { ringForEvents } from "#db/event-bell.ts";
import { type Params, statement } from "#db/statement.ts";
import { sendAhead } from "#db/transaction.ts";
import { type EventObject, type NewEvent, objectOf } from "#domain/event.ts";
import { newId } from "#domain/ids.ts";

/** Events as a parameter of a larger statement. */
export function eventRecords(events: readonly NewEvent[]): { events: string } {
  const rows = events.map(({ type, objectId, partnerId, audience, at, data }) => {
    return { id: newId("event", at), type, object_id: objectId, partner_id: partnerId, audience, created_at: at, data };
  });
  return { events: JSON.stringify(rows) };
}

const rows = (param: Params<{ events: string }>) => sql`json_to_recordset(${param("events")}::text::json)
  as e(id text, type text, object_id text, partner_id uuid, audience text, created_at timestamptz, data json)`;

/** The number of this transaction, as a place in the order of events. */
export const HERE = sql`pg_current_xact_id()::text::bigint`;

/** The part of a `with` that writes events. `counted`: a part with `object_id`, `partner_id`, `version` and `position` of each object. */
export function eventPart(param: Params<{ events: string }>, object: EventObject, counted: SQL): SQL {
  return sql`recorded as (insert into events (id, partner_id, position, version, object_type, object_id, type, audience, created_at, data)
    select e.id, c.partner_id, c.position, c.version, ${sql.raw(`'${object}'`)}, c.object_id, e.type, e.audience, e.created_at, e.data
    from ${rows(param)} join ${counted} as c on c.object_id = e.object_id)`;
}

/**
 * Records changes that partners may follow, in the transaction of the changes: one statement, sent ahead of what follows. The objects are
 * locked, so that versions are in the order of the changes. One event an object.
 */
export async function recordEvents(tx: Database, events: readonly NewEvent[]): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const write = objectOf(first.type) === "settlement" ? ofSettlements(tx, settlementParams(events)) : ofOthers(tx, first, events);
  await sendAhead(tx, write);
  for (const { partnerId } of events) ringForEvents(tx, partnerId);
}

const settlementParams = (events: readonly NewEvent[]) => ({
  ...eventRecords(events),
  ids: JSON.stringify(events.map(({ objectId }) => objectId)),
});

const ofSettlements = statement<{ events: string; ids: string }, Record<string, never>>(
  (param) => sql`
    with counted as (select * from count_settlement_events(array(select jsonb_array_elements_text(${param("ids")}::text::jsonb)))),
    ${eventPart(param, "settlement", sql`counted`)} select`,
);

type Counted = (db: Database, values: { events: string }) => Promise<Record<string, never>[]>;
const statements = new Map<EventObject, Counted>();

async function ofOthers(tx: Database, { type }: NewEvent, events: readonly NewEvent[]): Promise<void> {
  const object = objectOf(type);
  const write = statements.get(object) ?? counting(object);
  statements.set(object, write);
  await write(tx, eventRecords(events));
}

const counting = (object: EventObject): Counted =>
  statement<{ events: string }, Record<string, never>>(
    (param) => sql`
    with counted as (insert into event_counters (object_id, partner_id, recorded, position) select e.object_id, e.partner_id, 1, ${HERE} from ${rows(param)}
      on conflict on constraint event_counters_partner_id_object_id_pk do update set recorded = event_counters.recorded + 1,
        position = greatest(event_counters.position, excluded.position)
      returning object_id, partner_id, recorded as version, position),
    ${eventPart(param, object, sql`counted`)} select`,
  );
