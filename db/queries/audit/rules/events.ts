import { type SQL, sql } from "drizzle-orm";
import { EVENT_TYPE_NAMES, objectOf } from "#domain/event.ts";
import { PLACES } from "#domain/kept-event.ts";
import { type AuditRule, type AuditScope, type AuditSlice, inScope } from "./rule.ts";

/**
 * Rules about events, each against the audit entry that its change wrote in the same transaction. Both have the instant of the change in
 * their ids, so a slice of one is a slice of the other, and no rule reads more than two ranges of keys. They cover no event that retention
 * may have deleted, and nothing of the version before, which wrote none.
 */
export function eventRules(scope: AuditScope | AuditSlice): AuditRule[] {
  const settlements = inScope(scope, "settlement", sql`s.id`);
  return [
    {
      name: "change_has_its_event",
      title: "each change of a settlement, batch or order has one event, and each such event its change",
      checked: sql`select count(*) from (${changes(scope)}) c`,
      violations: sql`
        with changed as (${numbered(changes(scope))}), written as (${numbered(recorded(scope))}), exempt as (${exempt(scope)})
        select coalesce(c.object_id, t.object_id), case when t.object_id is null then format('has no event %s of %s', c.type, c.at)
          else format('has an event %s of %s, without such a change', t.type, t.at) end, null
        from changed c full join written t on (t.object_id, t.type, t.at, t.place) = (c.object_id, c.type, c.at, c.place)
        where (t.object_id is null or c.object_id is null) and not exists (select 1 from exempt b where b.object_id = t.object_id
          and b.at = t.at and (t.type = 'withdrawal.processing' or t.type = any(b.types)))`,
    },
    {
      name: "settlement_counts_its_events",
      title: "a settlement has counted one event for each state that it has been in",
      checked: sql`select count(*) from settlements s where ${settlements} and s.created_at >= ${COMPLETE_SINCE}`,
      violations: sql`
        select s.id, format('is %s after %s events, not %s', s.status, s.events_recorded, e.due), null
        from settlements s cross join lateral (select 1 + (s.approval_state in ('approved', 'rejected') is true)::int
          + (s.confirmed_at is not null)::int + (s.status in ('executed', 'failed'))::int
          + (s.status = 'cancelled' and s.approval_state is distinct from 'rejected')::int as due) e
        where ${settlements} and s.created_at >= ${COMPLETE_SINCE} and (s.events_recorded < e.due
          or (s.events_recorded > e.due and not exists (select 1 from payment_holds h where h.owner_id = s.id)))`,
    },
    {
      name: "event_versions_rise_by_one",
      title: "an object's events are numbered without a gap, in the order of their positions",
      checked: sql`select count(*) from events e where ${kept(scope)}`,
      violations: sql`
        select object_id, format('version %s of %s comes after %s', version, type, coalesce(before::text, 'none')), null
        from (select e.*, lag(e.version) over one as before, lag(e.position) over one as place_before from events e where ${kept(scope)}
          window one as (partition by e.partner_id, e.object_id order by e.version)) e
        where version <> before + 1 or position < place_before or (type like '%.created' and version <> 1)`,
    },
    {
      name: "last_event_agrees",
      title: "a settlement or order whose event says that it has ended has ended that way, with the same amount",
      checked: sql`select count(*) from events e where ${kept(scope)} and e.type in (${ENDS})`,
      violations: sql`
        select e.object_id, format('says %s, and is %s', e.type, coalesce(o.status, 'missing')), null
        from events e left join lateral (
          select s.status, s.status as ended, s.destination_amount_base = round(${fieldOf("destination_amount")}::numeric * power(10::numeric, s.token_decimals)) as agrees
            from settlements s where s.id = e.object_id
          union all select w.status, case when w.cancelled_at is null then w.status else 'cancelled' end, w.amount_minor = (e.data ->> 'amount')::numeric from withdrawals w where w.id = e.object_id
          union all select t.status, case when t.cancelled_at is null then t.status else 'cancelled' end, t.amount_minor = (e.data ->> 'amount')::numeric from topups t where t.id = e.object_id) o on true
        where ${kept(scope)} and e.type in (${ENDS})
          and (o.ended is distinct from split_part(e.type, '.', 2) or o.agrees is not true or ${fieldOf("status")} <> o.status)`,
    },
  ];
}

/** A field of an event, kept by its name or by its place. */
const fieldOf = (name: (typeof PLACES)[number]) => sql.raw(`coalesce(e.data ->> '${name}', e.data ->> ${PLACES.indexOf(name)})`);

const ENDS = literals(
  EVENT_TYPE_NAMES.filter((type) =>
    /^(?:settlement\.(?:executed|failed)|(?:withdrawal|topup)\.(?:completed|failed|cancelled))$/.test(type),
  ),
);

/** Settlements and batches name the action in their entries as the event's type, and so does every cancellation. */
const SAME_NAME = literals(
  EVENT_TYPE_NAMES.filter(
    (type) => type.endsWith(".cancelled") || (["settlement", "batch"].includes(objectOf(type)) && !/\.(?:held|released)$/.test(type)),
  ),
);

/**
 * Since when all processes write events: always, or, where the oldest settlement has none, a day after the first worker of the version that
 * does.
 */
const COMPLETE_SINCE = sql`(select case when (select events_recorded from settlements order by id limit 1) = 0
  then coalesce((select min(seen_at) + interval '1 day' from event_epochs), 'infinity') else '-infinity' end)`;

/** Events are deleted in the order of their ids: what is younger than the last deleted one is kept. */
function isKept(id: SQL): SQL {
  return sql`substr(${id}, 4, 10) > coalesce((select max(substr(event_id, 4, 10)) from event_floors), '')`;
}

const kept = (scope: AuditScope | AuditSlice) => sql`${inScope(scope, "event", sql`e.id`)} and ${isKept(sql`e.id`)}`;

/** The changes that partners may follow, as their audit entries say. An order's entry names the step, and has the status with it. */
function changes(scope: AuditScope | AuditSlice): SQL {
  return sql`
    select a.object_id, a.at, a.id, case when a.action in (${SAME_NAME}) then a.action when a.action = 'topup.paid_late' then 'topup.failed'
        else split_part(a.action, '.', 1) || '.' || case a.change ->> 'status' when 'pending' then 'created' else coalesce(a.change ->> 'status', 'created') end
      end as type
    from audit_entries a where ${inScope(scope, "audit", sql`a.id`)} and ${isKept(sql`a.id`)} and a.partner_id is not null and a.at >= ${COMPLETE_SINCE}
      and (a.action in (${SAME_NAME}) or a.action in ('withdrawal.requested', 'topup.requested', 'topup.paid_late')
        or (a.action ~ '^(withdrawal|topup)[.]' and a.change ? 'status'))`;
}

/** Events that no change of status explains: a hold says why in its own entries, of which there may be several for one event. */
function exempt(scope: AuditScope | AuditSlice): SQL {
  return sql`
    select a.object_id, a.at, case a.action when 'payment.held' then '{settlement.held}'::text[] else '{settlement.released}'::text[] end as types
    from audit_entries a where ${inScope(scope, "audit", sql`a.id`)} and a.action in ('payment.held', 'payment.released', 'payment.wait_ended', 'payment.screened')`;
}

function recorded(scope: AuditScope | AuditSlice): SQL {
  return sql`select e.object_id, e.created_at as at, e.id, e.type from events e where ${kept(scope)} and e.created_at >= ${COMPLETE_SINCE}
    and e.object_type in ('settlement', 'batch', 'withdrawal', 'topup')`;
}

/** Among those of the same object, type and instant. A hold writes events of a type that changes have, too, so a change's event is found by its instant. */
function numbered(rows: SQL): SQL {
  return sql`select *, row_number() over (partition by object_id, type, at order by id) as place from (${rows}) as one`;
}

function literals(texts: readonly string[]): SQL {
  return sql.raw(texts.map((text) => `'${text}'`).join(", "));
}
