import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { AWAITS_DECISION } from "#db/queries/settlements/batches.ts";
import { unfinished } from "#db/queries/transfers/unfinished.ts";
import type { WorkKind } from "#domain/work-queue.ts";

/**
 * One thing that waits for an operator. `detail`: its merchant, the kind of proposal, the check that holds it, or the purpose of its payment.
 * `amount`: in the smallest unit of its currency, with that currency's decimals. `isOwn`: this person has approved or proposed it already.
 * `escalated`: to whom it was passed on, and when, once it was overdue.
 */
export type WorkRecord = {
  kind: WorkKind;
  id: string;
  since: Date;
  partner: string | null;
  detail: string;
  amount: { units: bigint; currency: string; decimals: number | null } | null;
  isOwn: boolean;
  escalated: { userId: string; name: string; at: Date } | null;
};

type Row = Omit<WorkRecord, "since" | "amount" | "escalated"> & {
  since: string;
  units: string | null;
  currency: string | null;
  decimals: number | null;
  escalatedTo: string | null;
  escalatedName: string | null;
  escalatedAt: string | null;
};

/**
 * Everything that waits for an operator's decision, at most `limit` of each kind, the longest waiting first. `subject` is its own id, also of a
 * hold. `userId`: for whom `isOwn` is read; null: it is false. Reads partial indexes only: no cost by history.
 */
export function waitingWork(userId: string | null, limit: number): SQL {
  const isOwn = (approvals: SQL) =>
    userId === null ? sql`false` : sql`exists (select from ${approvals} and a.decider_type = 'user' and a.decider_id = ${userId}::uuid)`;
  return sql`
    (select 'settlement' as kind, s.id, s.id as subject, s.created_at as since, p.name as partner, s.external_merchant_id as detail,
        s.source_amount_minor::text as units, s.source_currency as currency, null::int as decimals,
        ${isOwn(sql`settlement_approvals a where a.settlement_id = s.id and of_partner_or_unsaid(a.partner_id, s.partner_id)`)} as "isOwn"
      from settlements s join partners p on p.id = s.partner_id
      where s.status = 'quoted' and s.approval_state = 'pending' and s.batch_id is null order by s.created_at limit ${limit})
    union all
    (select 'batch', settlement_batches.id, settlement_batches.id, settlement_batches.created_at, p.name, settlement_batches.external_batch_id, null, null, null,
        ${isOwn(sql`settlements i join settlement_approvals a on a.settlement_id = i.id and of_partner_or_unsaid(a.partner_id, i.partner_id)
          where i.batch_id = settlement_batches.id and of_partner(i.partner_id, settlement_batches.partner_id)`)}
      from settlement_batches join partners p on p.id = settlement_batches.partner_id
      where ${AWAITS_DECISION} order by settlement_batches.created_at limit ${limit})
    union all
    (select 'proposal', id, id, proposed_at, null, kind, null, null, null, coalesce(proposer_id = ${userId}::uuid, false)
      from proposals where outcome = 'open' order by proposed_at limit ${limit})
    union all
    (select 'hold', h.owner_id, h.id, h.held_at, p.name, h."check", t.amount_base::text, t.currency, t.token_decimals, false
      from payment_holds h join transfers t on t.purpose = h.purpose and t.owner_id = h.owner_id left join partners p on p.id = h.partner_id
      where h.outcome = 'open' and not exists (
        select from proposals r where r.outcome = 'open' and r.kind = 'payment_release' and r.subject = t.id)
      order by h.held_at limit ${limit})
    union all
    (select 'review', t.id, t.id, t.updated_at, p.name, t.purpose, t.amount_base::text, t.currency, t.token_decimals, false
      from transfers t left join partners p on p.id = t.partner_id
      where ${unfinished("t")} and t.state = 'needs_review' and not exists (
        select from proposals r where r.outcome = 'open' and r.subject = t.id)
      order by t.updated_at limit ${limit})
    union all
    (select 'order', o.id, o.id, o.ambiguous_since, p.name, o.detail, o.units, o.currency, null, false
      from (
        select id, partner_id, ambiguous_since, 'withdrawal' as detail, amount_minor::text as units, currency from withdrawals
          where ambiguous_since is not null
        union all
        select id, partner_id, ambiguous_since, 'topup', amount_minor::text, currency from topups where ambiguous_since is not null
      ) o join partners p on p.id = o.partner_id
      where not exists (select from proposals r where r.outcome = 'open' and r.subject = o.id)
      order by o.ambiguous_since limit ${limit})`;
}

/** The escalation of a waiting item: the one notification that was stored for it. */
export const ESCALATION = sql`e.kind = 'decision_overdue' and e.fact like 'escalated %' and e.fact = 'escalated ' || w.subject`;

export async function listWork(db: Database, userId: string, limit: number): Promise<WorkRecord[]> {
  const rows = await db.execute<Row>(sql`
    with w as materialized (${waitingWork(userId, limit)})
    select w.kind, w.id, w.since, w.partner, w.detail, w.units, w.currency, w.decimals, w."isOwn", e.user_id as "escalatedTo",
      u.name as "escalatedName", e.at as "escalatedAt"
    from w left join notifications e on ${ESCALATION} left join users u on u.id = e.user_id
    order by w.since limit ${limit}`);
  return rows.map(({ since, units, currency, decimals, escalatedTo, escalatedName, escalatedAt, ...row }) => ({
    ...row,
    since: new Date(since),
    amount: units === null || currency === null ? null : { units: BigInt(units), currency, decimals },
    escalated:
      escalatedTo === null || escalatedName === null || escalatedAt === null
        ? null
        : { userId: escalatedTo, name: escalatedName, at: new Date(escalatedAt) },
  }));
}
