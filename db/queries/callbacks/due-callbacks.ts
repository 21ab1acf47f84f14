import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { EVERYBODY, inShare, inShares, leaseEnd, leaseIsFree, type Share } from "#db/lease.ts";
import { isEverybodys } from "#db/trouble.ts";
import { type SealedSigning, signingColumns, signingOf } from "./callback-signing.ts";
import { type ClaimRoom, candidatesIn } from "./due-candidates.ts";
import { type ClaimedRow, claimOfPartner, type SettledAttempt, settleOfPartner } from "./partner-share.ts";

export type { ClaimRoom } from "./due-candidates.ts";
export type { SettledAttempt } from "./partner-share.ts";

export type ClaimedCallback = {
  id: string;
  token: string;
  partnerId: string;
  signing: SealedSigning;
  queue: string;
  url: string;
  body: string;
  /** The stored `traceparent` of its subject. */
  trace: string | null;
  series: number;
  /** Among the six; null: a manual attempt. */
  number: number | null;
  /** Of a manual attempt. */
  attemptId: string | null;
  /** When it should begin; for a manual attempt, when it was requested. */
  dueAt: Date;
  /** Business time of the claim. */
  claimedAt: Date;
};

/** The beginning of an attempt's id from `newId` at the instant `now`, and a placeholder for its random bits. */
const attemptIdHead = sql`'ca_' || (select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
  ((extract(epoch from now) * 1000)::bigint >> 5 * place & 31)::int + 1, 1), '' order by place desc) from generate_series(0, 9) place)`;
const CLOCK = sql`select now, ${attemptIdHead} as id_head from (select date_trunc('milliseconds', business_now()) as now) clock`;
const newAttemptId = sql`clock.id_head || substr(replace(gen_random_uuid()::text, '-', ''), 17)`;

/**
 * Leases due callbacks, the oldest of each queue in turn. A queue with a hundred thousand due rows gets no more and costs no more than one
 * with a single row: of each queue it reads no more rows than there is capacity. If many rows are due, it finds the queues by walking the
 * index (queue, due_at) from each queue to the next. The same statement records the beginning of the attempts. An attempt interrupted by a
 * crash begins again, under its number or, if manual, under its id.
 *
 * Manual attempts precede scheduled ones, within the same capacity, also to a paused receiver: the person who requested one waits for the
 * outcome.
 *
 * Rows are found by arrays of their ids, and a queue's rows by comparing pairs, so the planner always uses the right index. Where the table
 * is spread by partner, it claims from one share only (`listShares`), in several statements.
 */
export async function claimDueCallbacks(
  db: Database,
  token: string,
  room: ClaimRoom,
  now: Date,
  share: Share = EVERYBODY,
): Promise<ClaimedCallback[]> {
  if (share.of === "partner") return (await claimOfPartner(db, { token, room, now, share })).map((row) => toClaimed(row, token));
  const rows = await db.execute<ClaimedRow>(sql`
    with recursive ${candidatesIn(room, share, { clock: CLOCK })}, free as materialized (
      select c.id from callbacks c
      where c.id = any(array(select id from candidates union all select id from extras)) and ${leaseIsFree("c.")}
        and (c.due_at <= (select now from clock) or c.extra_attempt_id is not null) ${inShare(share, "c.")}
      for update of c skip locked
    ), claimed as (
      update callbacks c set lease_until = ${leaseEnd()}, lease_token = ${token} where c.id = any(array(select id from free)) ${inShare(share, "c.")}
      returning c.id, c.partner_id, c.api_key_id, c.lane, c.url, c.body, c.trace, c.series, c.extra_attempt_id,
        case when c.extra_attempt_id is null then c.next_number end as number, coalesce(c.extra_asked_at, c.due_at) as due_at
    ), begun as (
      insert into callback_attempts (id, callback_id, partner_id, series, number, scheduled_at, sent_at)
      select ${newAttemptId}, claimed.id, partner_id, series, number, due_at, clock.now from claimed, clock where extra_attempt_id is null
      on conflict on constraint callback_attempts_once do update set sent_at = excluded.sent_at
    ), begun_beside as (
      insert into callback_attempts (id, callback_id, partner_id, series, scheduled_at, sent_at)
      select extra_attempt_id, id, partner_id, series, due_at, clock.now from claimed, clock where extra_attempt_id is not null
      on conflict on constraint callback_attempts_pkey do update set sent_at = excluded.sent_at
    ), signing as materialized (${signingOf(sql`select api_key_id from claimed`, now)})
    select claimed.id, partner_id as "partnerId", lane as queue, url, body, trace, series, number, extra_attempt_id as "attemptId", due_at as "dueAt",
      clock.now as "claimedAt", ${signingColumns}
    from clock, claimed join signing on signing.id = claimed.api_key_id
    order by due_at`);
  return rows.map((row) => toClaimed(row, token));
}

function toClaimed(claimed: ClaimedRow, token: string): ClaimedCallback {
  const { apiSecret, webhookSecrets, signerId, secretsOf, dueAt, claimedAt, ...row } = claimed;
  const signing = { apiSecret, webhookSecrets, signerId, secretsOf };
  return { ...row, token, signing, dueAt: new Date(dueAt), claimedAt: new Date(claimedAt) };
}

/** Which callbacks were written, and which were not because their share's statement failed: by what. */
export type Settled = { written: ReadonlySet<string>; failed: ReadonlyMap<string, unknown> };

/**
 * Stores the outcomes of attempts and releases their leases, with one statement per share: a failure in one does not block the others. A
 * callback that is neither written nor failed has another token: another worker has it, and nothing is changed.
 */
export async function settleAttempts(db: Database, attempts: readonly SettledAttempt[]): Promise<Settled> {
  const failed = new Map<string, unknown>();
  const rows = await inShares(db, "callbacks", attempts, async (theirs, share) => {
    // While the database is unavailable, none of them can be stored.
    const away = [...failed.values()].find(isEverybodys);
    try {
      if (away !== undefined) throw away;
      return await settleShare(db, theirs, share);
    } catch (error) {
      for (const { id } of theirs) failed.set(id, error);
      return [];
    }
  });
  return { written: new Set(rows.map(({ id }) => id)), failed };
}

async function settleShare(db: Database, attempts: readonly SettledAttempt[], share: Share): Promise<{ id: string }[]> {
  if (share.of === "partner") return await settleOfPartner(db, attempts, share);
  return await db.execute<{ id: string }>(sql`
    with ended as materialized (
      select e.*, now - "agoMs" * interval '1 millisecond' as "endedAt" from (select date_trunc('milliseconds', business_now()) as now) clock,
        jsonb_to_recordset(${JSON.stringify(attempts)}::jsonb) as e(
        id text, "partnerId" uuid, token uuid, series int, number int, "attemptId" text, "agoMs" int, "durationMs" int, "requestHeaders" jsonb,
        "responseStatus" int, "responseHeaders" jsonb, "responseBody" text, "responseBytes" int, timings jsonb, "errorKind" text, error text, "remoteAddress" text,
        state text, "nextNumber" int, "dueInSeconds" int)
    ), settled as (
      update callbacks c set
        state = coalesce(e.state, c.state), next_number = coalesce(e."nextNumber", c.next_number),
        due_at = case when e.state is null then c.due_at else e."endedAt" + e."dueInSeconds" * interval '1 second' end,
        lease_until = null, lease_token = null,
        delivered_at = case e.state when 'delivered' then e."endedAt" else case when e.state is null then c.delivered_at end end,
        undelivered_at = case e.state when 'undelivered' then e."endedAt" else case when e.state is null then c.undelivered_at end end,
        failing_since = case when coalesce(e.state, c.state) <> 'delivered' then coalesce(c.failing_since, e."endedAt") end,
        extra_attempt_id = case when e."attemptId" is null then c.extra_attempt_id end,
        extra_asked_at = case when e."attemptId" is null then c.extra_asked_at end
      from ended e where c.id = any(array(select id from ended)) and of_partner(c.partner_id, e."partnerId") and c.id = e.id and c.lease_token = e.token ${inShare(share, "c.")}
      returning c.id, c.series
    ), noted as (
      update callback_attempts a set
        series = case when a.number is null then settled.series else a.series end,
        ended_at = e."endedAt", duration_ms = e."durationMs", request_headers = e."requestHeaders", response_status = e."responseStatus",
        response_headers = e."responseHeaders", response_body = e."responseBody", response_bytes = e."responseBytes",
        timings = e.timings, error_kind = e."errorKind", error = e.error,
        remote_address = e."remoteAddress"
      from ended e join settled on settled.id = e.id
      where a.callback_id = any(array(select id from settled)) and of_partner_or_unsaid(a.partner_id, e."partnerId") and a.callback_id = e.id
        ${inShare(share, "a.")} and (a.id = e."attemptId" or (a.series = e.series and a.number = e.number))
    )
    select id from settled`);
}
