import { type SQL, sql } from "drizzle-orm";
import { inShare, leaseIsFree, type Share } from "#db/lease.ts";

/** A worker's free capacity. Queues are as in `queueOf`. */
export type ClaimRoom = {
  limit: number;
  /** How many more may be in flight for these queues, and for each queue that is not listed. */
  rooms: Record<string, number>;
  otherwise: number;
  /** Partners that have all they may have. */
  closedPartners: readonly string[];
};

/** With fewer due rows than this, the queues are read off the rows themselves. */
const FEW = 250;
/** The most manual attempts that one claim considers. */
const MOST_ASKED = 1_000;

/**
 * What may begin now: `extras` are manual, `candidates` scheduled, by their ids. `clock`: a row with business time as `now`. `paused`: rows
 * of `paused_receivers`, where the statement may not read that table.
 */
export function candidatesIn(
  room: ClaimRoom,
  share: Share,
  { clock, paused = sql`paused_receivers p` }: { clock: SQL; paused?: SQL },
): SQL {
  const own = inShare(share);
  const ofShare = inShare(share, "c.");
  return sql`clock as materialized (
    ${clock}
  ), rooms as materialized (
    select key as lane, value::int as room from jsonb_each_text(${JSON.stringify(room.rooms)}::jsonb)
  ), closed as materialized (
    select jsonb_array_elements_text(${JSON.stringify(room.closedPartners)}::jsonb) as partner
  ), oldest as materialized (
    select lane from callbacks where due_at <= (select now from clock) ${own} order by due_at limit ${FEW}
  ), walk(lane) as (
    (select lane from callbacks where due_at is not null and (select count(*) from oldest) >= ${FEW} ${own} order by lane limit 1)
    union all
    select (select c.lane from callbacks c where c.due_at is not null and c.lane > w.lane ${ofShare} order by c.lane limit 1)
    from walk w where w.lane is not null
  ), asked as materialized (
    select c.id, c.lane, c.extra_asked_at, coalesce(rooms.room, ${room.otherwise}::int) as room
    from callbacks c left join rooms on rooms.lane = c.lane
    where c.extra_attempt_id is not null and ${leaseIsFree("c.")} and split_part(c.lane, ' ', 1) not in (select partner from closed)
      and coalesce(rooms.room, ${room.otherwise}::int) > 0 ${ofShare}
    order by c.lane, c.extra_asked_at limit ${MOST_ASKED}
  ), extras as materialized (
    select id, lane from (select *, row_number() over (partition by lane order by extra_asked_at) as turn from asked) a
    where turn <= room order by turn limit ${room.limit}
  ), open_lanes as materialized (
    select lane, coalesce(rooms.room, ${room.otherwise}::int) - (select count(*) from extras where extras.lane = lanes.lane) as room
    from (select lane from oldest union select lane from walk where lane is not null) lanes left join rooms using (lane)
    where split_part(lane, ' ', 1) not in (select partner from closed) and not exists (
      select 1 from ${paused} where p.origin = split_part(lane, ' ', 2)
        and (p.partner_id is null or p.partner_id::text = split_part(lane, ' ', 1)))
  ), candidates as materialized (
    select due.id from open_lanes cross join lateral (
      select c.id, c.due_at, row_number() over (order by c.lane, c.due_at) as turn from callbacks c
      where c.due_at is not null and (c.lane, c.due_at) > (open_lanes.lane, '-infinity')
        and (c.lane, c.due_at) <= (open_lanes.lane, (select now from clock)) and ${leaseIsFree("c.")} ${ofShare}
      order by c.lane, c.due_at limit open_lanes.room
    ) due
    where open_lanes.room > 0
    order by due.turn, due.due_at limit ${room.limit} - (select count(*) from extras)
  )`;
}
