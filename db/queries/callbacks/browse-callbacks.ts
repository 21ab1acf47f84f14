import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { fromRaw, type Raw } from "#db/columns.ts";
import { layoutOf } from "#db/transaction.ts";
import { beyondId, nearestIdFirst } from "#db/walk.ts";
import type { Callback, CallbackState } from "#domain/callback.ts";
import type { Walk } from "#domain/page.ts";
import { CAUSE, lastAttempt, ofPartner } from "./callback-groups.ts";

/** An attempt's outcome, in short. */
type AttemptMark = { number: number | null; sentAt: Date; endedAt: Date | null; responseStatus: number | null; errorKind: string | null };
/** A callback as a list for people shows it, with the attempts of its last series. */
export type BrowsedCallback = Browsed & { attempts: AttemptMark[] };
type Browsed = Omit<Callback, "partnerId" | "apiKeyId" | "body" | "attempts"> & { partner: { id: string; name: string } };
type Row = Raw<Browsed> & { attempts: Raw<AttemptMark>[] };

export type CallbackFilter = {
  /** Left out: every partner's. */
  partnerId?: string;
  state?: CallbackState;
  event?: string;
  /** Scheme, host and port of the receiver. */
  origin?: string;
  /** Why it is not delivered (see `tipFor`): only for those that are undelivered, or failing and still retried. */
  cause?: string;
  subjectId?: string;
  /** Inclusive. */
  createdFrom?: Date;
  /** Exclusive. */
  createdTo?: Date;
};

const ID = sql`c.id`;

const COLUMNS = sql`c.id, json_build_object('id', p.id, 'name', p.name) as partner, c.subject_id as "subjectId", c.event, c.url, c.state, c.series,
      c.created_at as "createdAt", c.delivered_at as "deliveredAt", c.undelivered_at as "undeliveredAt", c.due_at as "nextAttemptAt"`;
/** What was tried of the callback `c` in its last series. `among`: a condition more. */
const triedOf = (among: SQL) => sql`select jsonb_agg(jsonb_build_object('number', a.number, 'sentAt', a.sent_at, 'endedAt', a.ended_at,
        'responseStatus', a.response_status, 'errorKind', a.error_kind) order by a.sent_at, a.id) as attempts
      from callback_attempts a where a.callback_id = c.id and a.series = c.series${among}`;

/** A page of callbacks, nearest to the place first; ids sort by the moment they were made. */
export async function browseCallbacks(db: Database, filter: CallbackFilter, walk: Walk<string>): Promise<BrowsedCallback[]> {
  const order = nearestIdFirst(ID, walk);
  const last = filter.cause === undefined ? sql`` : lastAttempt(db);
  const fits = sql`${beyondId(ID, walk) ?? true} ${conditions(db, filter)}`;
  // Citus joins no reference table to a page that it has read before.
  const rows = await db.execute<Row>(
    layoutOf(db) === "citus"
      ? sql`select ${COLUMNS}, coalesce((${triedOf(sql` and a.partner_id = c.partner_id`)}), '[]'::jsonb) as attempts
    from callbacks c join partners p on p.id = c.partner_id ${last} where ${fits} order by ${order} limit ${walk.limit}`
      : sql`
    with page as materialized (
      select c.* from callbacks c ${last}
      where ${fits} order by ${order} limit ${walk.limit}
    )
    select ${COLUMNS}, coalesce(tried.attempts, '[]'::jsonb) as attempts
    from page c join partners p on p.id = c.partner_id left join lateral (
      ${triedOf(sql``)}
    ) tried on true
    order by ${order}`,
  );
  return rows.map(({ attempts, ...row }) => ({
    ...fromRaw<Browsed>(row, { instants: ["createdAt", "deliveredAt", "undeliveredAt", "nextAttemptAt"] }),
    attempts: attempts.map((mark) => fromRaw<AttemptMark>(mark, { instants: ["sentAt", "endedAt"] })),
  }));
}

/** `retrying`: of the pending ones, those that have failed at least once. */
type CallbackCounts = { pending: number; retrying: number; undelivered: number /** Whether there ever was one. */; any: boolean };

/** The number of undelivered callbacks by state, up to a limit for each: a partner's, or everybody's. By partial indexes. */
export async function countOpenCallbacks(db: Database, partnerId: string | null, limit: number): Promise<CallbackCounts> {
  const own = partnerId === null ? sql`` : sql`and c.partner_id = ${partnerId}::uuid`;
  const count = (condition: SQL) =>
    sql`(select count(*)::int from (select 1 from callbacks c where ${condition} ${own} limit ${limit}) few)`;
  const [row] = await db.execute<CallbackCounts>(
    sql`select ${count(sql`c.due_at is not null`)} as pending,
      ${count(sql`c.failing_since is not null and c.state = 'pending'`)} as retrying, ${count(sql`c.state = 'undelivered'`)} as undelivered,
      exists (select 1 from callbacks c where true ${own}) as "any"`,
  );
  return row ?? { pending: 0, retrying: 0, undelivered: 0, any: false };
}

function conditions(db: Database, filter: CallbackFilter): SQL {
  const { partnerId, state, event, origin, cause, subjectId, createdFrom, createdTo } = filter;
  const parts = [
    partnerId === undefined ? null : ofPartner(db, partnerId),
    state === undefined ? null : sql`and c.state = ${state}`,
    // The partial index of what is due knows this form.
    state === "pending" ? sql`and c.due_at is not null` : null,
    event === undefined ? null : sql`and c.event = ${event}`,
    origin === undefined ? null : sql`and split_part(c.lane, ' ', 2) = ${origin}`,
    cause === undefined
      ? null
      : sql`and (c.state = 'undelivered' or c.failing_since is not null and c.state = 'pending') and ${CAUSE} = ${cause}`,
    subjectId === undefined ? null : sql`and c.subject_id = ${subjectId}`,
    createdFrom === undefined ? null : sql`and c.created_at >= ${createdFrom.toISOString()}::timestamptz`,
    createdTo === undefined ? null : sql`and c.created_at < ${createdTo.toISOString()}::timestamptz`,
  ];
  return sql.join(
    parts.filter((part) => part !== null),
    sql` `,
  );
}
