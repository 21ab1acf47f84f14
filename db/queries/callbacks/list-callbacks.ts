import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { beyondId, nearestIdFirst } from "#db/walk.ts";
import type { CallbackEvent, CallbackState } from "#domain/callback.ts";
import type { EventAudience } from "#domain/event.ts";
import { firstId } from "#domain/ids.ts";
import type { Walk } from "#domain/page.ts";

export type OwnCallbackFilter = {
  partnerId: string;
  /** Whose objects the key may read. */
  audiences: readonly EventAudience[];
  subjectId?: string;
  state?: CallbackState;
  event?: CallbackEvent;
  /** Inclusive. */
  createdFrom?: Date;
  /** Exclusive. */
  createdTo?: Date;
};

const ID = sql`c.id`;
/** Settlements and batches; everything else takes the partner's scope (`audienceOfSubject`). */
const OF_SETTLEMENTS = sql`(c.subject_id like 'tx\\_%' or c.subject_id like 'ba\\_%')`;

/** The ids of a page of a partner's callbacks, nearest to the place first. */
export async function listCallbackIds(db: Database, filter: OwnCallbackFilter, walk: Walk<string>): Promise<string[]> {
  const { partnerId, audiences, subjectId, state, event, createdFrom, createdTo } = filter;
  const parts = [
    sql`c.partner_id = ${partnerId}::uuid`,
    beyondId(ID, walk) ?? null,
    audiences.includes("settlements") ? null : sql`not ${OF_SETTLEMENTS}`,
    audiences.includes("partner") ? null : OF_SETTLEMENTS,
    subjectId === undefined ? null : sql`c.subject_id = ${subjectId}`,
    state === undefined ? null : sql`c.state = ${state}`,
    // As the partial index of what is due says it.
    state === "pending" ? sql`c.due_at is not null` : null,
    event === undefined ? null : sql`c.event = ${event}`,
    // An id has the time of the row. Only ids have an index, in the order of the list.
    createdFrom === undefined ? null : sql`c.id >= ${firstId("callback", createdFrom)}`,
    createdTo === undefined ? null : sql`c.id < ${firstId("callback", createdTo)}`,
  ];
  const conditions = sql.join(
    parts.filter((part) => part !== null),
    sql` and `,
  );
  const rows = await db.execute<{ id: string }>(
    sql`select c.id from callbacks c where ${conditions} order by ${nearestIdFirst(ID, walk)} limit ${walk.limit}`,
  );
  return rows.map(({ id }) => id);
}
