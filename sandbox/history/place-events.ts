import type postgres from "postgres";

/**
 * Gives the events that this transaction has brought their places: after every cursor that a reader may have, in the order that they had. A
 * place is a transaction's number, so each takes the number of a savepoint of this transaction: no other transaction has it, and every
 * cursor handed out before the commit is lower.
 */
export async function placeEvents(tx: postgres.TransactionSql): Promise<void> {
  const places = await tx<{ ids: string[] }[]>`
    select array_agg(id) as ids from events where xmin = pg_current_xact_id()::xid group by position order by position`;
  for (const { ids } of places) {
    // PostgreSQL gives a savepoint its number when it first writes.
    const numbered = await tx.savepoint(
      (part) => part<{ number: string }[]>`
      update events set version = version where id = any(${ids}) returning xmin::text as number`,
    );
    // `xmin` has the lower 32 bits of a number.
    await tx`update events set position = ((pg_current_xact_id()::text::bigint >> 32) << 32) + ${numbered[0]?.number ?? null}::bigint
      where id = any(${ids})`;
  }
  const brought = places.flatMap(({ ids }) => ids);
  const last = tx`select partner_id, object_id, max(position) as position from events where id = any(${brought}) group by 1, 2`;
  await tx`update event_counters c set position = greatest(c.position, e.position) from (${last}) e
    where (c.partner_id, c.object_id) = (e.partner_id, e.object_id)`;
  await tx`update settlements s set events_position = greatest(s.events_position, e.position) from (${last}) e where s.id = e.object_id`;
}
