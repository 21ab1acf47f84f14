import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { Layout } from "#db/layout.ts";
import { AWAITS_DECISION } from "#db/queries/settlements/batches.ts";
import { unfinished } from "#db/queries/transfers/unfinished.ts";
import { layoutOf } from "#db/transaction.ts";
import type { SubjectOutcome } from "#domain/notification.ts";

/** Kinds whose subject people decide: a settlement or a proposal, and what else can be overdue. */
export const DECIDABLE = sql.raw("('approval_waits', 'second_yes', 'decision_overdue', 'decision_for_absent')");

/** Citus does not look from a row of a whole table into a distributed one. There all their ids are read first. */
const isAmong = (layout: Layout, rows: { id: SQL; from: SQL }) =>
  layout === "citus"
    ? sql`notifications.subject_id in (select ${rows.id} from ${rows.from})`
    : sql`exists (select from ${rows.from} and ${rows.id} = notifications.subject_id)`;

const PENDING = sql`s.status = 'quoted' and s.approval_state = 'pending'`;
const SETTLEMENTS = { id: sql`s.id`, from: sql`settlements s where ${PENDING}` };
const BATCHES = { id: sql`settlement_batches.id`, from: sql`settlement_batches where ${AWAITS_DECISION}` };

/** Whether nothing is left to decide about the subject of a row of `notifications`. */
export const isOver = (layout: Layout) => sql`(not ${isAmong(layout, SETTLEMENTS)}
  and not exists (select from proposals p where p.id = notifications.subject_id and p.outcome = 'open')
  and not (notifications.kind = 'decision_overdue' and (
    ${isAmong(layout, BATCHES)}
    or exists (select from payment_holds h where h.id = notifications.subject_id and h.outcome = 'open')
    or exists (select from transfers t where t.id = notifications.subject_id and ${unfinished("t")} and t.state = 'needs_review')
    or exists (select from withdrawals o where o.id = notifications.subject_id and o.ambiguous_since is not null)
    or exists (select from topups o where o.id = notifications.subject_id and o.ambiguous_since is not null))))`;

/** Approvals of settlements that still wait: of others, nothing is left to decide. */
const APPROVALS = sql`settlements s join settlement_approvals a on a.settlement_id = s.id and of_partner_or_unsaid(a.partner_id, s.partner_id)
  where ${PENDING}`;

/**
 * Whether a row of `notifications` needs nothing from its person any more: its subject is decided, the person has approved, or another
 * person has given the first approval, after which `second_yes` applies.
 */
export const isSettled = (layout: Layout) =>
  sql<boolean>`(notifications.kind in ${DECIDABLE} and (${isOver(layout)} or ${isApproved(layout)}))`;

const isApproved = (layout: Layout) =>
  layout === "citus"
    ? sql`(notifications.kind = 'approval_waits' and notifications.subject_id in (select a.settlement_id from ${APPROVALS}))
      or (notifications.subject_id, notifications.user_id) in (select a.settlement_id, a.decider_id from ${APPROVALS})`
    : sql`exists (select from settlement_approvals a where a.settlement_id = notifications.subject_id
      and (notifications.kind = 'approval_waits' or a.decider_id = notifications.user_id))`;

const UNREAD: SQL = sql`notifications.read_at is null and notifications.in_console`;

/** The number of unread ones that the person can still act on. */
export async function countUnread(db: Database, userId: string): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from notifications where notifications.user_id = ${userId} and ${UNREAD} and not ${isSettled(layoutOf(db))}`);
  return row?.count ?? 0;
}

/** Marks at most `limit` irrelevant ones as read (`now` is real time). Returns how many. */
export async function readSettled(db: Database, now: Date, limit: number): Promise<number> {
  const rows = await db.execute(sql`
    with settled as (
      select id from notifications where ${UNREAD} and ${isSettled(layoutOf(db))} limit ${limit} for update skip locked
    )
    update notifications set read_at = ${now.toISOString()}::timestamptz from settled where notifications.id = settled.id
    returning notifications.id`);
  return rows.length;
}

/** What a notification is about, as it is at this moment. `by`: the person or key that decided; null: the service, or nobody yet. */
export type SubjectRecord = {
  id: string;
  outcome: SubjectOutcome;
  by: string | null;
  settlement: { sourceAmountMinor: bigint; currency: string; merchant: string; partner: string } | null;
};

type Row = {
  id: string;
  outcome: SubjectRecord["outcome"];
  by: string | null;
  minor: string | null;
  currency: string;
  merchant: string;
  partner: string;
};

/** Settlements, proposals and held payments by id, with who decided them last. */
export async function listSubjects(db: Database, ids: readonly string[]): Promise<SubjectRecord[]> {
  if (ids.length === 0) return [];
  const wanted = sql`in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;
  const rows = await db.execute<Row>(sql`
    with s as materialized (
      select s.id, s.status, s.approval_state, s.source_amount_minor, s.source_currency, s.external_merchant_id, p.name as partner
      from settlements s join partners p on p.id = s.partner_id where s.id ${wanted}
    )
    select s.id, case when s.approval_state = 'approved' or s.approval_state = 'rejected' then s.approval_state
        when s.status = 'quoted' then 'open' else 'closed' end as outcome,
      case when s.approval_state <> 'pending' then d.name end as by, s.source_amount_minor::text as minor, s.source_currency as currency,
      s.external_merchant_id as merchant, s.partner
    from s left join lateral (
      select case e.actor_type when 'user' then (select u.name from users u where u.id::text = e.actor_id) when 'system' then null
          else (select k.name from api_keys k where k.id::text = e.actor_id) end as name
      from audit_entries e where e.object_id = s.id and e.action in ('settlement.approved', 'settlement.rejected') order by e.id desc limit 1
    ) d on true
    union all
    select id, outcome, decider_name, null, '', '', '' from proposals where id ${wanted}
    union all
    select id, case outcome when 'released' then 'approved' when 'refused' then 'rejected' when 'open' then 'open' else 'closed' end,
      decider_name, null, '', '', '' from payment_holds where id ${wanted}`);
  return rows.map(({ id, outcome, by, minor, ...rest }) => ({
    id,
    outcome,
    by,
    settlement: minor === null ? null : { sourceAmountMinor: BigInt(minor), ...rest },
  }));
}
