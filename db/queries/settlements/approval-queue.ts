import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { AWAITS_DECISION } from "./batches.ts";

/**
 * The approval queue of the operator's users, and its decided settlements. Conditions are written out so that the planner recognises
 * partial indexes.
 */

const PENDING = sql`s.status = 'quoted' and s.approval_state = 'pending'`;
/** Items of a batch are decided with it. */
const ALONE = sql`s.batch_id is null`;
const HAS_APPROVAL = sql`exists (select 1 from settlement_approvals a
  where a.settlement_id = s.id and of_partner_or_unsaid(a.partner_id, s.partner_id))`;
const LAPSED = sql`s.status = 'quoted' and s.approval_state = 'approved' and s.expires_at <= (select business_now())`;
const DECISIONS = sql`action in ('settlement.approved', 'settlement.rejected', 'settlement.approval_recorded')`;

/** Ids of what awaits a decision, the longest waiting first: with a first approval already, or without one. */
export async function listAwaitingDecision(
  db: Database,
  { approvedOnce, limit }: { approvedOnce: boolean; limit: number },
): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select s.id from settlements s where ${PENDING} and ${ALONE} and ${approvedOnce ? HAS_APPROVAL : sql`not ${HAS_APPROVAL}`}
    order by s.created_at limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** What awaits a decision, of one partner, merchant and source currency. */
export type WaitingOfMerchant = { partnerId: string; externalMerchantId: string; sourceCurrency: string; count: number; sumMinor: bigint };
type OfMerchant = Pick<WaitingOfMerchant, "partnerId" | "externalMerchantId">;

/** What awaits a decision of these merchants, items of batches included. */
export async function sumWaitingOf(db: Database, merchants: readonly OfMerchant[]): Promise<WaitingOfMerchant[]> {
  const partners = [...new Set(merchants.map(({ partnerId }) => partnerId))];
  const names = [...new Set(merchants.map(({ externalMerchantId }) => externalMerchantId))];
  const rows = await db.execute<{ partner_id: string; merchant: string; currency: string; count: number; sum: string }>(sql`
    select s.partner_id, s.external_merchant_id as merchant, s.source_currency as currency, count(*)::int as count, sum(s.source_amount_minor)::text as sum
    from settlements s where ${PENDING} and s.partner_id in ${partners} and s.external_merchant_id in ${names}
    group by s.partner_id, s.external_merchant_id, s.source_currency`);
  return rows.map(({ partner_id: partnerId, merchant: externalMerchantId, currency: sourceCurrency, count, sum }) => ({
    partnerId,
    externalMerchantId,
    sourceCurrency,
    count,
    sumMinor: BigInt(sum),
  }));
}

/** What has awaited a decision for that long, in business time, and is for a wallet with one of these endings, the longest waiting first. */
export async function listPendingTo<Ending extends string>(
  db: Database,
  { endings, forSeconds, limit }: { endings: readonly Ending[]; forSeconds: number; limit: number },
): Promise<{ id: string; ending: Ending }[]> {
  return await db.execute<{ id: string; ending: Ending }>(sql`
    select s.id, ending from settlements s
      join jsonb_array_elements_text(${JSON.stringify(endings)}::jsonb) as ending on right(s.wallet_address, length(ending)) = ending
    where ${PENDING} and s.created_at <= (select business_now()) - ${forSeconds} * interval '1 second'
    order by s.created_at limit ${limit}`);
}

/** Ids of approved settlements whose partner let the new price run out, the latest first. */
export async function listLapsedAfterApproval(db: Database, limit: number): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(
    sql`select s.id from settlements s where ${LAPSED} order by s.expires_at desc limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}

export type OwnDecision = { settlementId: string; action: string; at: Date; reason: string | null };

/** What a person decided, the latest first; of several actions on one settlement the latest. */
export async function listDecisionsOf(db: Database, userId: string, limit: number): Promise<OwnDecision[]> {
  const rows = await db.execute<{ object_id: string; action: string; at: string; reason: string | null }>(sql`
    select object_id, action, at, reason from audit_entries where actor_id = ${userId} and ${DECISIONS} order by id desc limit ${2 * limit}`);
  const latest = new Map<string, OwnDecision>();
  for (const { object_id, action, at, reason } of rows) {
    if (!latest.has(object_id)) latest.set(object_id, { settlementId: object_id, action, at: new Date(at), reason });
  }
  return [...latest.values()].slice(0, limit);
}

type Counted = { waiting: number; second: number; others: number; batches: number; decided: number; lapsed: number };
/**
 * `waiting`, `second`: settlements on their own, without and with a first approval. `others`: those of the second kind that the person has
 * approved, so that somebody else's yes is needed.
 */
export type QueueCounts = Counted & { medianSeconds: number | null };

/** The number of each kind, each up to `most` + 1, and how long the decisions of the last 24 hours took. */
export async function countQueue(db: Database, userId: string, most: number): Promise<QueueCounts> {
  const limit = sql`limit ${most + 1}`;
  const [row] = await db.execute<Counted & { median: number | null }>(sql`
    select (select count(*)::int from (select 1 from settlements s where ${PENDING} and ${ALONE} and not ${HAS_APPROVAL} ${limit}) f) as waiting,
      (select count(*)::int from (select 1 from settlements s where ${PENDING} and ${ALONE} and ${HAS_APPROVAL} ${limit}) f) as second,
      (select count(*)::int from (select 1 from settlement_approvals a join settlements s on s.id = a.settlement_id and of_partner_or_unsaid(a.partner_id, s.partner_id)
        where a.decider_type = 'user' and a.decider_id = ${userId}::uuid and ${PENDING} and ${ALONE} ${limit}) f) as others,
      (select count(*)::int from (select 1 from settlement_batches where ${AWAITS_DECISION} ${limit}) f) as batches,
      (select count(distinct object_id)::int from (select object_id from audit_entries where actor_id = ${userId} and ${DECISIONS} ${limit}) f) as decided,
      (select count(*)::int from (select 1 from settlements s where ${LAPSED} ${limit}) f) as lapsed,
      (select percentile_disc(0.5) within group (order by extract(epoch from approval_decided_at - created_at)::int)
        from (select approval_decided_at, created_at from settlements
          where approval_decided_at > (select business_now()) - interval '24 hours' limit 1000) d) as median`);
  if (row === undefined) throw new Error("a statement without a table answered nothing");
  const { median, ...counts } = row;
  return { ...counts, medianSeconds: median };
}

export type Decision = { action: string; at: Date; actorType: string; actorName: string | null };

/** Who decided a settlement, and how; null when nobody has. */
export async function findDecision(db: Database, settlementId: string): Promise<Decision | null> {
  const [row] = await db.execute<{ action: string; at: string; actor_type: string; name: string | null }>(sql`
    select action, at, actor_type, case actor_type when 'user' then (select name from users where id::text = actor_id)
      when 'system' then null else (select name from api_keys where id::text = actor_id) end as name
    from audit_entries where object_id = ${settlementId} and action in ('settlement.approved', 'settlement.rejected') order by id desc limit 1`);
  return row ? { action: row.action, at: new Date(row.at), actorType: row.actor_type, actorName: row.name } : null;
}
