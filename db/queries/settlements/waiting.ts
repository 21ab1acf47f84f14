import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { pairOf } from "#db/queries/halts/scope-halts.ts";
import { layoutOf } from "#db/transaction.ts";
import { WAITING_KINDS, type Waiting } from "#domain/transfer.ts";

/** What the packed transaction waits for that is to make the payment: no partner may read its row. */
const PACKED = sql`case when t.state = 'packed' then packed_wait(t.id) end`;
/** The kind and the beginning of a wait, for transfers `t`, and the tables it is read from. Without a row nothing waits. */
const KIND = sql`case when halt.since is null and t.state <> 'needs_review' then coalesce(${PACKED} ->> 'kind', t.waiting_kind) else 'review' end`;
const SINCE = sql`coalesce(halt.since, (${PACKED} ->> 'since')::timestamptz, t.waiting_since, t.updated_at)`;
const PAIR = sql`(select ${pairOf("s")} from settlements s where s.id = t.owner_id and of_partner(s.partner_id, t.partner_id))`;
const waits = (pair = PAIR) => sql`transfers t left join lateral (
  select min(h.since) as since from lane_halts h where h.lifted_at is null and (
    h.lane_kind = 'all' or (h.lane_kind = 'chain' and h.lane_key = t.chain) or (h.lane_kind = 'partner' and h.lane_key = t.partner_id::text)
    or (h.lane_kind = 'pair' and h.lane_key = ${pair})
    or (h.lane_kind = 'wallet' and h.lane_key in (select x.wallet_id::text from transactions x
      where x.transfer_id in (t.id, (select m.pack_id from pack_members m where m.transfer_id = t.id and m.outcome is null)))))) as halt on true
  where t.purpose = 'settlement' and t.state not in ('executed', 'failed')
    and (halt.since is not null or t.waiting_kind is not null or t.state = 'needs_review' or ${PACKED} is not null)`;

/** Why the settlement's payment makes no progress, as a column; null: it does, or there is none. */
export const waitOf = (settlementId: SQL) =>
  sql`(select jsonb_build_object('kind', ${KIND}, 'since', ${SINCE}) from ${waits()} and t.owner_id = ${settlementId})`;
export type WaitRow = { kind: string; since: string };

/** The same of a payment that `settlements` would owe from now on: no wallet has signed it. */
export const openWaitOf = () => sql`(select jsonb_build_object('kind', 'review', 'since', min(h.since)) from lane_halts h
  where h.lifted_at is null and (h.lane_kind = 'all' or (h.lane_kind = 'chain' and h.lane_key = settlements.chain)
    or (h.lane_kind = 'pair' and h.lane_key = ${pairOf("settlements")})
    or (h.lane_kind = 'partner' and h.lane_key = settlements.partner_id::text)) having min(h.since) is not null)`;

type Owing = { id: string; partnerId: string; chain: string; sourceCurrency: string; destinationCurrency: string };

/** The same of settlements that were read before. */
export async function listOpenWaits(db: Database, read: readonly Owing[]): Promise<Map<string, WaitRow>> {
  const asked = read.map(({ id, partnerId, chain, sourceCurrency, destinationCurrency }) => {
    return { id, partner_id: partnerId, chain, source_currency: sourceCurrency, destination_currency: destinationCurrency };
  });
  const rows = await db.execute<{ id: string; wait: WaitRow | null }>(sql`
    select id, ${openWaitOf()} as wait from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
      as settlements(id text, partner_id uuid, chain text, source_currency text, destination_currency text)`);
  return new Map(rows.flatMap(({ id, wait }) => (wait === null ? [] : [[id, wait] as const])));
}

/**
 * Why the payments of these settlements make no progress, by settlement; those that do are omitted. A halted scope (its chain, the wallet
 * that signed it, its partner) needs people, so that comes before any other reason.
 */
export async function listWaits(db: Database, settlementIds: readonly string[]): Promise<Map<string, Waiting>> {
  if (settlementIds.length === 0) return new Map();
  const rows = await db.execute<{ id: string; kind: string; since: string }>(sql`
    select t.owner_id as id, ${KIND} as kind, ${SINCE} as since
    from ${waits(layoutOf(db) === "citus" ? sql`(select ${pairOf("s")} from citus_settlement(t.owner_id, t.partner_id) s)` : PAIR)} and t.owner_id in (select jsonb_array_elements_text(${JSON.stringify(settlementIds)}::jsonb))`);
  return new Map(
    rows.flatMap(({ id, ...row }) => {
      const wait = toWaiting(row);
      return wait === null ? [] : [[id, wait] as const];
    }),
  );
}

export function toWaiting({ kind: word, since }: WaitRow): Waiting | null {
  const kind = WAITING_KINDS.find((known) => known === word);
  return kind === undefined ? null : { kind, since: new Date(since) };
}
