import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { WAITING_KINDS, type Waiting } from "#domain/transfer.ts";

/**
 * Why the payments of these settlements do not move, by settlement; of one that moves, nothing. A lane that is halted (its chain, the
 * wallet that signed it, its partner) is people's to look into, whatever else is the matter.
 */
export async function listWaits(db: Database, settlementIds: readonly string[]): Promise<Map<string, Waiting>> {
  if (settlementIds.length === 0) return new Map();
  const rows = await db.execute<{ id: string; kind: string; since: string }>(sql`
    select t.owner_id as id, case when halt.since is null and t.state <> 'needs_review' then t.waiting_kind else 'review' end as kind,
      coalesce(halt.since, t.waiting_since, t.updated_at) as since
    from transfers t left join lateral (
      select min(h.since) as since from lane_halts h where h.lifted_at is null and (
        (h.lane_kind = 'chain' and h.lane_key = t.chain) or (h.lane_kind = 'partner' and h.lane_key = t.partner_id::text)
        or (h.lane_kind = 'wallet' and h.lane_key in (select x.wallet_id::text from transactions x where x.transfer_id = t.id)))) as halt on true
    where t.purpose = 'settlement' and t.owner_id in (select jsonb_array_elements_text(${JSON.stringify(settlementIds)}::jsonb))
      and t.state not in ('executed', 'failed') and (halt.since is not null or t.waiting_kind is not null or t.state = 'needs_review')`);
  return new Map(rows.flatMap(({ id, kind, since }) => toEntry(id, kind, since)));
}

function toEntry(id: string, word: string, since: string): [string, Waiting][] {
  const kind = WAITING_KINDS.find((known) => known === word);
  return kind === undefined ? [] : [[id, { kind, since: new Date(since) }]];
}
