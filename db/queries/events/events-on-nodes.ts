import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { ringForEvents } from "#db/event-bell.ts";
import { among } from "#db/rows.ts";
import { events } from "#db/schema/events.ts";
import { settlements } from "#db/schema/settlements.ts";
import type { NewEvent } from "#domain/event.ts";
import { eventRow } from "./event-row.ts";

/** An event of a settlement, and its place among that settlement's events. */
export type CountedEvent = { event: NewEvent; version: number; position: bigint };

/** As `recordEvents`, of settlements on Citus: each is counted on its partner's node, and the events are the coordinator's. */
export async function recordOnNodes(tx: Database, made: readonly NewEvent[]): Promise<void> {
  const position = await readPosition(tx);
  const counted: CountedEvent[] = [];
  for (const [partnerId, theirs] of Map.groupBy(made, (event) => event.partnerId)) {
    const { id, eventsRecorded: version, eventsPosition } = settlements;
    const objects = theirs.map(({ objectId }) => objectId);
    const saved = await tx
      .update(settlements)
      .set({ eventsRecorded: sql`${version} + 1`, eventsPosition: sql`greatest(${eventsPosition}, ${position.toString()}::bigint)` })
      .where(and(among(id, objects), eq(settlements.partnerId, partnerId)))
      .returning({ id, version, position: eventsPosition });
    const places = new Map(saved.map((place) => [place.id, place]));
    for (const event of theirs) {
      const place = places.get(event.objectId);
      if (place !== undefined) counted.push({ event, version: place.version, position: BigInt(place.position) });
    }
  }
  await insertSettlementEvents(tx, counted);
}

/** The events of settlements whose versions are counted already. */
export async function insertSettlementEvents(tx: Database, counted: readonly CountedEvent[]): Promise<void> {
  if (counted.length === 0) return;
  const rows = counted.map(({ event, ...place }) => ({ ...eventRow(event), objectType: "settlement" as const, ...place }));
  await tx.insert(events).values(rows);
  for (const { event } of counted) ringForEvents(tx, event.partnerId);
}

/** The number of this transaction on the coordinator, by which its events are in order. */
export async function readPosition(tx: Database): Promise<bigint> {
  const [row] = await tx.execute<{ position: string }>(sql`select pg_current_xact_id()::text as position`);
  return BigInt(row?.position ?? 0);
}
