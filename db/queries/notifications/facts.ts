import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { Layout } from "#db/layout.ts";
import { layoutOf } from "#db/transaction.ts";
import type { UserRole } from "#domain/access.ts";
import type { NotificationKind } from "#domain/notification.ts";

/**
 * Facts are found in the tables where they are true. Code that creates one need not notify, and a fact without an observer is found later.
 * `only`: which of the people, aliased `u`, are meant. Each query returns `fact`, `subject_id`, `detail`, `partner_id`, `at` and `not_for`,
 * the people who need not hear of it: the author of the action, and those who have approved it.
 */
export type Finder = { kind: NotificationKind; roles: readonly UserRole[]; facts: SQL | ((layout: Layout) => SQL); only?: SQL };

/** Older facts are no longer notified (business time). Read once per statement, so that it bounds an index scan. */
const WINDOW = sql.raw("(select business_now()) - interval '3 days'");
const NOBODY = sql.raw("'{}'::uuid[] as not_for");
const APPROVERS = sql`array(select o.decider_id from settlement_approvals o
  where o.settlement_id = s.id and of_partner_or_unsaid(o.partner_id, s.partner_id))`;

/** Without any approval yet; after the first one, see `settlementsHalfApproved`. */
export const approvalsThatWait = sql`
  select 'approval ' || s.id as fact, s.id as subject_id, p.name as detail, s.partner_id, s.created_at as at, ${NOBODY}
  from settlements s join partners p on p.id = s.partner_id
  where s.status = 'quoted' and s.approval_state = 'pending' and s.created_at >= ${WINDOW}
    and not exists (select from settlement_approvals a where a.settlement_id = s.id and of_partner_or_unsaid(a.partner_id, s.partner_id))`;

export const settlementsHalfApproved = sql`
  select 'second ' || s.id as fact, s.id as subject_id, p.name as detail, s.partner_id, a.approved_at as at, ${APPROVERS} as not_for
  from settlements s join settlement_approvals a on a.settlement_id = s.id and of_partner_or_unsaid(a.partner_id, s.partner_id)
    join partners p on p.id = s.partner_id
  where s.status = 'quoted' and s.approval_state = 'pending' and s.created_at >= ${WINDOW} - interval '7 days' and a.approved_at >= ${WINDOW}`;

export const openProposals = sql`
  select 'proposal ' || id as fact, id as subject_id, replace(kind, '_', ' ') as detail, null::uuid as partner_id, proposed_at as at,
    array[proposer_id] as not_for
  from proposals where outcome = 'open' and proposed_at >= ${WINDOW}`;

const DECISIONS = sql`
  select s.id, p.name || ', ' || s.external_merchant_id as detail, s.created_at as at, ${APPROVERS} as not_for
    from settlements s join partners p on p.id = s.partner_id
    where s.status = 'quoted' and s.approval_state = 'pending' and s.batch_id is null and s.created_at >= ${WINDOW} - interval '7 days'
  union all
  select id, replace(kind, '_', ' '), proposed_at, array[proposer_id] from proposals where outcome = 'open' and proposed_at >= ${WINDOW} - interval '7 days'`;

/** Everything to decide, for the substitutes of people who are away (see `substitutesAt`). */
export const decisionsOfAbsent = sql`
  select 'absent ' || d.id as fact, d.id as subject_id, d.detail, null::uuid as partner_id, d.at, d.not_for from (${DECISIONS}) d`;

/** The substitutes of people who are away. */
export const substitutesAt = (now: Date) => sql`u.id in (
  select away.substitute_id from notification_settings away join users absent on absent.id = away.user_id
  where away.away_until > ${now.toISOString()}::timestamptz and absent.disabled_at is null and absent.partner_id is null)`;

/** At most a thousand of each partner. Citus refuses such a limit, and reads them on all nodes at once. */
const givenUp = (layout: Layout) =>
  layout === "citus"
    ? sql`callbacks c on c.partner_id = p.id and c.state = 'undelivered' and c.undelivered_at >= ${WINDOW}`
    : sql`lateral (
    select * from callbacks where partner_id = p.id and state = 'undelivered' and undelivered_at >= ${WINDOW} order by undelivered_at limit 1000
  ) c on true`;

/** One for each receiver and hour, however many callbacks it leaves. */
export const receiversGivenUp = (layout: Layout) => sql`
  select distinct on (c.lane, date_trunc('hour', c.undelivered_at))
    'gave up ' || md5(c.lane) || ' ' || extract(epoch from date_trunc('hour', c.undelivered_at))::bigint as fact, c.id as subject_id,
    coalesce(substring(c.url from '^[a-zA-Z]+://(?:[^/?#@]*@)?([^/?#]+)'), 'a receiver') as detail, c.partner_id, c.undelivered_at as at, ${NOBODY}
  from partners p join ${givenUp(layout)}
  order by c.lane, date_trunc('hour', c.undelivered_at), c.undelivered_at`;

/** By the service, after a day of failures: a pause of the owner's own has no failures. */
export const destinationsPaused = sql`
  select 'destination ' || d.id || ' ' || extract(epoch from d.paused_at)::bigint as fact, d.id as subject_id,
    coalesce(substring(d.url from '^[a-z]+://([^/?#]+)'), 'a destination') as detail, d.partner_id, d.paused_at as at, ${NOBODY}
  from event_destinations d where d.status = 'paused' and d.failing_since is not null and d.paused_at >= ${WINDOW}`;

/** One for each wallet, currency and day for as long as it lasts. */
export const lowWallets = sql`
  select 'low ' || b.wallet_id || ' ' || b.currency || ' ' || extract(epoch from date_trunc('day', business_now()))::bigint as fact,
    b.wallet_id::text as subject_id, b.currency || ' of ' || w.address || ' on ' || w.chain as detail, null::uuid as partner_id,
    business_now() as at, ${NOBODY}
  from wallet_balances b join wallets w on w.id = b.wallet_id where b.low and w.state = 'active'`;

export const haltsOpened = sql`
  select 'halt ' || id as fact, id as subject_id, lane_kind || ', ' || replace(cause, '_', ' ') as detail, null::uuid as partner_id, since as at,
    array[case when halted_by ~ '^[0-9a-f]{8}-[0-9a-f-]{27}$' then halted_by::uuid end] as not_for
  from lane_halts where lifted_at is null and since >= ${WINDOW}`;

/** A week ahead, in real time: time enough to rotate the key. */
export const keysThatExpire = sql`
  select 'expires ' || id || ' ' || extract(epoch from expires_at)::bigint as fact, id::text as subject_id,
    'An API key expires on ' || to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD') || ': ' || name || ', …' || last_four as detail, partner_id,
    business_now() as at, ${NOBODY}
  from api_keys where revoked_at is null and expires_at > now() and expires_at <= now() + interval '7 days'`;

/** To the partner's owners: one of them may say yes, or have the operator refuse it. */
export const newPayees = sql`
  select 'payee ' || h.id as fact, w.id as subject_id, w.destination_name || ', ' || w.destination_account as detail, w.partner_id,
    h.held_at as at, ${NOBODY}
  from payment_holds h join withdrawals w on w.id = h.owner_id and of_partner(w.partner_id, h.partner_id)
  where h.outcome = 'open' and h.purpose = 'sweep' and h."check" = 'limit' and h.held_at >= ${WINDOW} and w.payee_approved_at is null
    and exists (select from exposure_limits l where l.id = any(h.keys) and l.replaced_at is null and l.kind = 'new_destination'
      and l.purpose = 'withdrawal')`;

const BATCH = 500;

/**
 * Stores a kind's facts for everybody who wants and may know them: each fact once per person, however often it is found. Returns how many
 * were new.
 */
export async function enterFacts(db: Database, { kind, roles, facts, only = sql`true` }: Finder, now: Date): Promise<number> {
  const rows = await db.execute(sql`
    with f as materialized (${typeof facts === "function" ? facts(layoutOf(db)) : facts}),
      recipients as (
        select u.id, u.partner_id, coalesce(r.console, true) as console,
          greatest(coalesce(r.since, u.created_at), ${WINDOW}) as since
        from users u left join notification_rules r on r.user_id = u.id and r.kind = ${kind}
        where exists (select from f) and u.disabled_at is null and coalesce(r.console or r.mail or r.webhook, true)
          and ${only} and u.role = any(array(select jsonb_array_elements_text(${JSON.stringify(roles)}::jsonb)))
      )
    insert into notifications (user_id, partner_id, kind, fact, subject_id, detail, at, in_console, created_at)
    select recipients.id, recipients.partner_id, ${kind}, f.fact, f.subject_id, left(f.detail, 200), f.at, recipients.console, ${now.toISOString()}::timestamptz
    from f join recipients on f.at >= recipients.since and (recipients.partner_id is null or recipients.partner_id = f.partner_id)
      and array_position(f.not_for, recipients.id) is null
    where not exists (select from notifications n where n.user_id = recipients.id and n.fact = f.fact)
    order by f.at limit ${BATCH}
    on conflict (user_id, fact) do nothing returning id`);
  return rows.length;
}

/**
 * A sign-in from a new address, in the transaction that opens the session. Nothing for a person's first sign-in.
 */
export async function enterNewPlace(
  tx: Database,
  { userId, sessionId, address, now }: { userId: string; sessionId: string; address: string; now: Date },
): Promise<void> {
  await tx.execute(sql`
    insert into notifications (user_id, partner_id, kind, fact, subject_id, detail, at, in_console, created_at)
    select u.id, u.partner_id, 'new_place', ${`sign-in ${sessionId}`}, ${sessionId}, ${address}, business_now(), true,
      ${now.toISOString()}::timestamptz
    from users u
    where u.id = ${userId} and (select count(*) from login_origins o where o.user_id = u.id) > 1
    on conflict (user_id, fact) do nothing`);
}
