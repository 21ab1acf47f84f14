import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { ESCALATION, waitingWork } from "#db/queries/overview/work-queue.ts";
import type { OperatorRole } from "#domain/access.ts";
import type { WorkKind } from "#domain/work-queue.ts";

/** A decision that waits longer than promised. */
export type OverdueWork = { kind: WorkKind; subject: string; detail: string };

type Roles = Readonly<Record<WorkKind, readonly OperatorRole[]>>;

/** Older ones are not passed on any more: their notification may have been deleted since. */
const LONGEST = sql.raw("interval '30 days'");
/** Of each kind. More wait until these are decided. */
const MOST_OVERDUE = 10_000;

/**
 * Overdue decisions that were not passed on yet and have a person who may decide them now, the longest waiting first. The others take no place
 * of the `limit`, so they delay nothing. Citus joins distributed tables only by partner, so each is read in its own `with`.
 */
export async function listOverdueWork(db: Database, roles: Roles, targetMinutes: number, now: Date, limit: number): Promise<OverdueWork[]> {
  return await db.execute<OverdueWork>(sql`
    with w as materialized (${waitingWork(null, MOST_OVERDUE)}),
    approvals as materialized (
      select coalesce(i.batch_id, i.id) as subject, a.decider_id
      from settlements i join settlement_approvals a on a.settlement_id = i.id and of_partner_or_unsaid(a.partner_id, i.partner_id)
      where i.status = 'quoted' and i.approval_state = 'pending')
    select w.kind, w.subject, concat_ws(', ', w.partner, w.detail) as detail
    from w
    where w.since <= (select business_now()) - ${targetMinutes} * interval '1 minute' and w.since >= (select business_now()) - ${LONGEST}
      and not exists (select from notifications e where ${ESCALATION})
      and exists (
        select ${asked(now)} and jsonb_exists(${JSON.stringify(roles)}::jsonb -> w.kind, u.role)
          and not exists (select from proposals p where p.id = w.subject and p.proposer_id = u.id)
          and not exists (select from approvals a where a.subject = w.subject and a.decider_id = u.id))
    order by w.since limit ${limit}`);
}

/**
 * Passes an overdue decision on to the next person: one who may decide it, is not away, has neither proposed nor approved it, and wants these
 * notifications. Admins come first, then the one who was asked longest ago. One row is both the notification and the record of the escalation, and
 * a unique index keeps it to one for each item. Returns whether it was stored now.
 */
export async function enterEscalation(db: Database, work: OverdueWork, roles: readonly OperatorRole[], now: Date): Promise<boolean> {
  const approvers = await listApprovers(db, work.subject);
  const rows = await db.execute(sql`
    insert into notifications (user_id, partner_id, kind, fact, subject_id, detail, at, in_console, created_at)
    select u.id, null, 'decision_overdue', ${`escalated ${work.subject}`}, ${work.subject}, left(${work.detail}, 200),
      business_now(), coalesce(r.console, true), ${now.toISOString()}::timestamptz
    ${asked(now)} and u.role = any(${listed(roles)})
      and not exists (select from proposals p where p.id = ${work.subject} and p.proposer_id = u.id)
      and not u.id::text = any(${listed(approvers)})
    order by u.role = 'admin' desc,
      (select max(e.created_at) from notifications e where e.user_id = u.id and e.kind = 'decision_overdue') nulls first, u.created_at, u.id
    limit 1
    on conflict do nothing returning id`);
  return rows.length > 0;
}

/** Every user `u` who is not away and wants these notifications, with the notification's rule `r`. */
const asked = (now: Date) => sql`
    from users u
    left join notification_rules r on r.user_id = u.id and r.kind = 'decision_overdue'
    left join notification_settings s on s.user_id = u.id
    where u.partner_id is null and u.disabled_at is null and (s.away_until is null or s.away_until <= ${now.toISOString()}::timestamptz)
      and coalesce(r.console or r.mail or r.webhook, true)`;

const listed = (texts: readonly string[]) => sql`array(select jsonb_array_elements_text(${JSON.stringify(texts)}::jsonb))`;

/** Who has approved a settlement, or one of a batch that still waits. Apart from the insert, because Citus loses rows of other nodes in a sorted part of one. */
async function listApprovers(db: Database, subject: string): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select decider_id as id from settlement_approvals where settlement_id = ${subject}
    union all
    select a.decider_id from settlements i join settlement_approvals a on a.settlement_id = i.id and of_partner_or_unsaid(a.partner_id, i.partner_id)
      where i.batch_id = ${subject} and i.approval_state = 'pending'`);
  return rows.map(({ id }) => id);
}
