import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { among } from "#db/rows.ts";
import { payeeKey } from "#db/schema/fiat-orders.ts";
import { paymentHolds } from "#db/schema/payment-checks.ts";
import type { PayoutWait } from "#domain/withdrawal.ts";
import type { PaymentOf } from "./payment-holds.ts";

/**
 * A payout that is held for a new payee alone, and has waited as long as the limit says (business time), or whose payee an owner of its
 * partner has approved.
 */
export type EndedWait = PaymentOf & { id: string; transferId: string; partnerId: string | null };

const IS_APPROVED = sql`exists (select from withdrawals w join withdrawals d on d.partner_id = w.partner_id
  and ${payeeKey(sql`d.destination_account`)} = ${payeeKey(sql`w.destination_account`)} and d.payee_approved_at is not null
  where w.id = h.owner_id and of_partner(w.partner_id, h.partner_id))`;

/** The oldest of them. */
export async function listEndedWaits(db: Database, limit: number): Promise<EndedWait[]> {
  return await db.execute<EndedWait>(sql`
    select h.id, t.id as "transferId", h.purpose, h.owner_id as "ownerId", h.partner_id as "partnerId"
    from payment_holds h join transfers t on t.purpose = h.purpose and t.owner_id = h.owner_id
    where h.outcome = 'open' and h.check = 'limit' and h.purpose = 'sweep' and not exists (
      select 1 from unnest(h.keys) as k(key) where not exists (
        select 1 from exposure_limits l where l.id = k.key and l.replaced_at is null and l.kind = 'new_destination' and l.purpose = 'withdrawal'
          and (h.held_at <= (select business_now()) - make_interval(secs => l.wait_seconds) or ${IS_APPROVED})))
    order by h.held_at, h.id limit ${limit}`);
}

/** Of these withdrawals, those that are held before their crypto is taken. */
export async function listPayoutWaits(db: Database, ids: readonly string[]): Promise<Map<string, PayoutWait>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({
      id: paymentHolds.ownerId,
      since: paymentHolds.heldAt,
      until: sql<Date | null>`case when ${paymentHolds.check} = 'limit' then (select case when bool_and(l.id is not null)
        then ${paymentHolds.heldAt} + max(l.wait_seconds) * interval '1 second' end from unnest(${paymentHolds.keys}) as k(key)
        left join exposure_limits l on l.id = k.key and l.replaced_at is null and l.kind = 'new_destination' and l.purpose = 'withdrawal')
        end`.mapWith(paymentHolds.heldAt),
    })
    .from(paymentHolds)
    .where(and(eq(paymentHolds.purpose, "sweep"), eq(paymentHolds.outcome, "open"), among(paymentHolds.ownerId, ids)));
  const byOwner = Map.groupBy(rows, ({ id }) => id);
  return new Map([...byOwner].map(([id, holds]) => [id, together(holds)]));
}

function together(holds: readonly { since: Date; until: Date | null }[]): PayoutWait {
  const since = new Date(Math.min(...holds.map((hold) => hold.since.getTime())));
  const ends = holds.map(({ until }) => until?.getTime() ?? Number.NaN);
  return ends.some(Number.isNaN)
    ? { reason: "hold", since, until: null }
    : { reason: "new_payee", since, until: new Date(Math.max(...ends)) };
}
