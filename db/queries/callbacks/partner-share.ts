import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { inShare, type Lease, leaseEnd, leaseIsFree, type Share } from "#db/lease.ts";
import { callbackAttempts } from "#db/schema/callback-attempts.ts";
import type { AttemptTimings, CallbackState } from "#domain/callback.ts";
import { newId } from "#domain/ids.ts";
import { type SealedSigning, signingColumns, signingOf } from "./callback-signing.ts";
import { type ClaimRoom, candidatesIn } from "./due-candidates.ts";

/**
 * One partner's callbacks where tables are spread by partner: a distributed engine does not insert and update in one statement, and its
 * updates read no clock. So what is one statement on a whole table is a transaction here, on the node of that partner.
 */

export type ClaimedRow = SealedSigning & {
  id: string;
  partnerId: string;
  queue: string;
  url: string;
  body: string;
  trace: string | null;
  series: number;
  number: number | null;
  attemptId: string | null;
  dueAt: string;
  claimedAt: string;
};
type Claim = { token: string; room: ClaimRoom; now: Date; share: Share };
type Held = Omit<ClaimedRow, keyof SealedSigning | "claimedAt"> & { apiKeyId: string };

/** As `claimDueCallbacks`, of one partner. */
export async function claimOfPartner(db: Database, { token, room, now, share }: Claim): Promise<ClaimedRow[]> {
  return await db.transaction(async (tx) => {
    const [clock] = await tx.execute<{ now: string; until: string; paused: object }>(sql`
      select date_trunc('milliseconds', business_now()) as now, ${leaseEnd()} as until, (
        select coalesce(jsonb_agg(p), '[]') from paused_receivers p where partner_id is null or (true ${inShare(share)})) as paused`);
    if (clock === undefined) return [];
    const paused = sql`jsonb_to_recordset(${JSON.stringify(clock.paused)}::jsonb) as p(origin text, partner_id uuid)`;
    const free = await tx.execute<{ id: string }>(sql`
      with recursive ${candidatesIn(room, share, { clock: sql`select ${clock.now}::timestamptz as now`, paused })} select c.id from callbacks c
      where c.id = any(array(select id from candidates union all select id from extras)) and ${leaseIsFree("c.")}
        and (c.due_at <= ${clock.now}::timestamptz or c.extra_attempt_id is not null) ${inShare(share, "c.")}
      for update of c skip locked`);
    if (free.length === 0) return [];
    const held = await tx.execute<Held>(sql`
      update callbacks c set lease_until = ${clock.until}::timestamptz, lease_token = ${token}
      where c.id = any(array(select jsonb_array_elements_text(${JSON.stringify(free.map(({ id }) => id))}::jsonb))) ${inShare(share, "c.")}
      returning c.id, c.partner_id as "partnerId", c.api_key_id as "apiKeyId", c.lane as queue, c.url, c.body, c.trace, c.series,
        c.extra_attempt_id as "attemptId", case when c.extra_attempt_id is null then c.next_number end as number,
        coalesce(c.extra_asked_at, c.due_at) as "dueAt"`);
    await begin(tx, held, new Date(clock.now));
    const keys = sql`select jsonb_array_elements_text(${JSON.stringify(held.map(({ apiKeyId }) => apiKeyId))}::jsonb)::uuid`;
    const signings = await tx.execute<SealedSigning & { id: string }>(sql`
      select signing.id, ${signingColumns} from (${signingOf(keys, now)}) as signing`);
    const byKey = new Map(signings.map(({ id, ...signing }) => [id, signing]));
    return held
      .flatMap(({ apiKeyId, ...row }) => {
        const signing = byKey.get(apiKeyId);
        return signing === undefined ? [] : [{ ...row, ...signing, claimedAt: clock.now }];
      })
      .sort((one, other) => Date.parse(one.dueAt) - Date.parse(other.dueAt));
  });
}

/** An attempt that a crash interrupted begins again, under its number or its id. */
async function begin(tx: Database, held: readonly Held[], at: Date): Promise<void> {
  const rows = held.map(({ id: callbackId, attemptId, partnerId, series, number, dueAt }) => {
    return {
      id: attemptId ?? newId("attempt", at),
      callbackId,
      partnerId,
      series,
      number,
      scheduledAt: new Date(dueAt),
      sentAt: at,
    };
  });
  const scheduled = rows.filter(({ number }) => number !== null);
  const manual = rows.filter(({ number }) => number === null);
  const again = { sentAt: sql`excluded.sent_at` };
  const { id, callbackId, series, number, partnerId } = callbackAttempts;
  if (scheduled.length > 0)
    await tx
      .insert(callbackAttempts)
      .values(scheduled)
      .onConflictDoUpdate({ target: [callbackId, series, number, partnerId], set: again });
  if (manual.length > 0)
    await tx
      .insert(callbackAttempts)
      .values(manual)
      .onConflictDoUpdate({ target: [id, partnerId], set: again });
}

/** An attempt that ended, and what becomes of its callback. */
export type SettledAttempt = Lease & {
  partnerId: string;
  series: number;
  /** null, with its id: a manual attempt. */
  number: number | null;
  attemptId: string | null;
  /** How long ago it ended, in whole milliseconds. */
  agoMs: number;
  durationMs: number;
  requestHeaders: Record<string, string>;
  responseStatus: number | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  responseBytes: number | null;
  timings: AttemptTimings;
  errorKind: string | null;
  error: string | null;
  remoteAddress: string | null;
  /** null: the attempt changes nothing of what its callback awaits. */
  state: CallbackState | null;
  /** Of the next attempt, or of this one when there is none. null: unchanged. */
  nextNumber: number | null;
  /** Until the next attempt, from this one's end. null: no further attempt, or with a state of null: as it is. */
  dueInSeconds: number | null;
};

/** As `settleAttempts`, of one partner. Which callbacks were written: the others have another token. */
export async function settleOfPartner(db: Database, attempts: readonly SettledAttempt[], share: Share): Promise<{ id: string }[]> {
  return await db.transaction(async (tx) => {
    const [clock] = await tx.execute<{ now: string }>(sql`select date_trunc('milliseconds', business_now()) as now`);
    const now = Date.parse(clock?.now ?? "");
    const ended = attempts.map((attempt) => {
      const endedAt = now - attempt.agoMs;
      const due = attempt.dueInSeconds === null ? null : new Date(endedAt + attempt.dueInSeconds * 1_000);
      return { ...attempt, endedAt: new Date(endedAt), dueAt: due };
    });
    const settled = await tx.execute<{ id: string; series: number }>(sql`
      update callbacks c set
        state = coalesce(e.state, c.state), next_number = coalesce(e."nextNumber", c.next_number),
        due_at = case when e.state is null then c.due_at else e."dueAt" end, lease_until = null, lease_token = null,
        delivered_at = case when e.state = 'delivered' then e."endedAt" when e.state is null then c.delivered_at end,
        undelivered_at = case when e.state = 'undelivered' then e."endedAt" when e.state is null then c.undelivered_at end,
        failing_since = case when coalesce(e.state, c.state) <> 'delivered' then coalesce(c.failing_since, e."endedAt") end,
        extra_attempt_id = case when e."attemptId" is null then c.extra_attempt_id end,
        extra_asked_at = case when e."attemptId" is null then c.extra_asked_at end
      from jsonb_to_recordset(${JSON.stringify(ended)}::jsonb) as e(id text, token uuid, "attemptId" text, state text, "nextNumber" int,
        "endedAt" timestamptz, "dueAt" timestamptz)
      where c.id = e.id and c.lease_token = e.token ${inShare(share, "c.")} returning c.id, c.series`);
    const seriesOf = new Map(settled.map(({ id, series }) => [id, series]));
    const noted = ended.flatMap((attempt) => {
      const now = seriesOf.get(attempt.id);
      return now === undefined ? [] : [{ ...attempt, now }];
    });
    if (noted.length > 0) await note(tx, noted, share);
    return settled.map(({ id }) => ({ id }));
  });
}

/** A manual attempt belongs to the series that its callback has by now. */
async function note(tx: Database, noted: readonly (SettledAttempt & { endedAt: Date; now: number })[], share: Share): Promise<void> {
  await tx.execute(sql`
    update callback_attempts a set
      series = case when a.number is null then e.now else a.series end,
      ended_at = e."endedAt", duration_ms = e."durationMs", request_headers = e."requestHeaders", response_status = e."responseStatus",
      response_headers = e."responseHeaders", response_body = e."responseBody", response_bytes = e."responseBytes",
      timings = e.timings, error_kind = e."errorKind", error = e.error, remote_address = e."remoteAddress"
    from jsonb_to_recordset(${JSON.stringify(noted)}::jsonb) as e(id text, now int, series int, number int, "attemptId" text,
      "endedAt" timestamptz, "durationMs" int, "requestHeaders" jsonb, "responseStatus" int, "responseHeaders" jsonb, "responseBody" text,
      "responseBytes" int, timings jsonb, "errorKind" text, error text, "remoteAddress" text)
    where a.callback_id = e.id ${inShare(share, "a.")} and (a.id = e."attemptId" or (a.series = e.series and a.number = e.number))`);
}
