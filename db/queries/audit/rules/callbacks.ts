import { type SQL, sql } from "drizzle-orm";
import { RETRY_DELAYS_SECONDS } from "#domain/callback.ts";
import { type AuditRule, type AuditScope, type AuditSlice, inScope } from "./rule.ts";

/** What must be true of every callback: owed exactly where something happened, and attempted by the schedule. */
export function callbackRules(scope: AuditScope | AuditSlice): AuditRule[] {
  const within = inScope(scope, "callback", sql`c.id`);
  // Manual attempts follow no schedule.
  const attempted = sql`from callback_attempts a join callbacks c on c.id = a.callback_id where ${within} and a.number is not null`;
  return [
    {
      name: "callback_where_due",
      title: "each terminal change has exactly one callback, each approval one where a URL was given, and nothing else has any",
      checked: sql`select count(*) from (${owed(scope)}) as owed`,
      violations: sql`
        select coalesce(o.subject_id, c.subject_id), case when c.id is null then format('%s is not called back', o.event)
          when o.subject_id is null then format('%s calls back %s, which did not happen', c.id, c.event)
          else format('%s goes to another URL, partner or key', c.id) end, null
        from (${owed(scope)}) o full join (${callbacksOf(scope)}) c
          on c.subject_id = o.subject_id and c.event = o.event
        where c.id is null or o.subject_id is null
          or (c.url, c.partner_id, c.api_key_id) is distinct from (o.url, o.partner_id, o.api_key_id)`,
    },
    {
      name: "callback_tells_the_record",
      title: "the body of a settlement's callback says what the record says",
      checked: sql`select count(*) from callbacks c where ${within} and c.event like 'settlement.%'`,
      violations: sql`
        select c.id, format('says otherwise than %s', s.id), null
        from callbacks c join settlements s on s.id = c.subject_id
          left join settlement_quotes q on q.settlement_id = s.id and q.version = s.quote_version, lateral (select c.body::jsonb as body) b
        where ${within} and ((b.body ->> 'tx_id') is distinct from s.id or (b.body ->> 'chain') is distinct from s.chain
          or ((b.body ->> 'destination_amount')::numeric * power(10::numeric, s.token_decimals)) is distinct from s.destination_amount_base
          or ((b.body ->> 'platform_fee')::numeric * power(10::numeric, s.token_decimals)) is distinct from s.platform_fee_base
          or case c.event when 'settlement.approved' then (b.body ->> 'status') is distinct from 'approved'
               or (b.body ->> 'event') is distinct from c.event or (b.body ->> 'source_amount')::numeric is distinct from s.source_amount_minor
             else (b.body ->> 'status') is distinct from s.status or (b.body ->> 'external_tx_id') is distinct from s.external_tx_id
               or ((b.body ->> 'tx_hash') is distinct from s.tx_hash and not exists (select 1 from audit_entries e where e.object_id = s.id
                 and e.action = 'transfer.restored' and e.change ->> 'former_tx_hash' = b.body ->> 'tx_hash'))
               or (b.body ->> 'failure_reason') is distinct from s.failure_reason end)`,
    },
    {
      name: "callback_attempts_in_order",
      title: "attempts are numbered without a gap, each due its delay after the end of the one before, none before it is due",
      checked: sql`select count(*) ${attempted}`,
      violations: sql`
        select id, format('series %s, attempt %s was due %s and began %s, after one that ended %s', series, number, scheduled_at, sent_at, before_ended), null
        from (
          select a.*, row_number() over one as place, lag(a.ended_at) over one as before_ended, lag(a.error_kind) over one as before_error
          ${attempted} window one as (partition by a.callback_id, a.series order by a.number)
        ) as a
        where a.number <> a.place or a.sent_at < a.scheduled_at or a.ended_at < a.sent_at
          or (a.number > 1 and (a.before_error is null or a.before_ended is null
            or a.scheduled_at <> a.before_ended + ${delayAfter(sql`a.number - 1`)} * interval '1 second'))`,
    },
    {
      name: "callback_state_follows",
      title: "delivered after a success, undelivered after six failures of the schedule, and otherwise due with the next number",
      checked: sql`select count(*) from callbacks c where ${within} and not ${isArchived}`,
      violations: sql`
        select c.id, format('is %s in series %s, next %s, after %s failures and %s successes', c.state, c.series, c.next_number, n.failed, n.delivered), null
        from callbacks c cross join lateral (
          select count(*) filter (where a.number is not null and a.ended_at is not null and a.error_kind is not null) as failed,
            count(*) filter (where a.number is not null and a.ended_at is not null and a.error_kind is null
              and a.response_status between 200 and 299) as delivered,
            count(*) filter (where a.number is null and a.ended_at is not null and a.error_kind is null
              and a.response_status between 200 and 299) as extra,
            count(*) filter (where a.ended_at is not null and a.error_kind is null and a.response_status not between 200 and 299) as odd
          from callback_attempts a where a.callback_id = c.id and a.series = c.series
        ) n
        where ${within} and not ${isArchived} and (n.odd > 0 or case c.state
          when 'delivered' then n.delivered > 1 or n.delivered + n.extra = 0 or c.delivered_at is null
          when 'undelivered' then n.delivered + n.extra <> 0 or n.failed <> 6 or c.undelivered_at is null
          else n.delivered + n.extra <> 0 or n.failed <> c.next_number - 1 end)`,
    },
  ];
}

/** Its end was proven before its attempts went to the archive. A later series is proven again. */
const isArchived = sql`(c.state <> 'pending' and c.attempts_archived_at is not null
  and c.attempts_archived_at >= coalesce(c.delivered_at, c.undelivered_at))`;

/** Every callback that is owed: subject, event, and where it goes. */
function owed(scope: AuditScope | AuditSlice): SQL {
  return sql`
    select s.id as subject_id, 'settlement.' || s.status as event, s.callback_url as url, s.partner_id, s.api_key_id
    from settlements s where s.status in ('executed', 'failed') and s.callback_url is not null and ${inScope(scope, "settlement", sql`s.id`)}
    union all
    select b.id, 'batch.completed', b.callback_url, b.partner_id, b.api_key_id
    from settlement_batches b where b.status = 'completed' and b.callback_url is not null and ${inScope(scope, "batch", sql`b.id`)}
    union all
    select s.id, 'settlement.approved', s.creation_callback_url, s.partner_id, s.api_key_id
    from settlements s where s.approval_state = 'approved' and s.creation_callback_url is not null and ${inScope(scope, "settlement", sql`s.id`)}
    union all
    select w.id, 'withdrawal.' || case when w.cancelled_at is null then w.status else 'cancelled' end, w.callback_url, w.partner_id, w.api_key_id
    from withdrawals w where w.status in ('completed', 'failed') and w.callback_url is not null and ${inScope(scope, "withdrawal", sql`w.id`)}
    union all
    select t.id, 'topup.' || case when t.cancelled_at is null then t.status else 'cancelled' end, t.callback_url, t.partner_id, t.api_key_id
    from topups t where t.status in ('completed', 'failed') and t.callback_url is not null and ${inScope(scope, "topup", sql`t.id`)}`;
}

const ALL_TIMES = { from: new Date(0), to: new Date(2 ** 50 - 1) };
const SUBJECTS = ["settlement", "batch", "withdrawal", "topup"] as const;

/**
 * Callbacks whose subject is of the slice; one about nothing that the service knows is of the slice that it was made in. Each kind of subject is
 * a range of ids between two bounds, which the index has: a prefix alone is none, except in the collation "C".
 */
function callbacksOf(scope: AuditScope | AuditSlice): SQL {
  const { from, to } = scope === null || scope instanceof Date ? { from: scope, to: null } : scope;
  const subject = sql`c.subject_id`;
  const known = SUBJECTS.map((kind) => {
    return sql`select * from callbacks c where ${inScope({ from: from ?? ALL_TIMES.from, to: to ?? ALL_TIMES.to }, kind, subject)}`;
  });
  const others = sql.join(
    SUBJECTS.map((kind) => sql`not ${inScope(ALL_TIMES, kind, subject)}`),
    sql` and `,
  );
  return sql.join(
    [...known, sql`select * from callbacks c where ${inScope(scope, "callback", sql`c.id`)} and ${others}`],
    sql` union all `,
  );
}

function delayAfter(number: SQL): SQL {
  const cases = RETRY_DELAYS_SECONDS.map((seconds, index) => sql`when ${index + 1}::int then ${seconds}::int`);
  return sql`case (${number}) ${sql.join(cases, sql` `)} end`;
}
