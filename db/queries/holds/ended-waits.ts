import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { PaymentOf } from "./payment-holds.ts";

/** A payout that is held for a new payee alone, and has waited as long as the limit says (business time). */
export type EndedWait = PaymentOf & { id: string; transferId: string; partnerId: string | null };

/** The oldest of them. */
export async function listEndedWaits(db: Database, limit: number): Promise<EndedWait[]> {
  return await db.execute<EndedWait>(sql`
    select h.id, t.id as "transferId", h.purpose, h.owner_id as "ownerId", h.partner_id as "partnerId"
    from payment_holds h join transfers t on t.purpose = h.purpose and t.owner_id = h.owner_id
    where h.outcome = 'open' and h.check = 'limit' and h.purpose = 'sweep' and not exists (
      select 1 from unnest(h.keys) as k(key) where not exists (
        select 1 from exposure_limits l where l.id = k.key and l.replaced_at is null and l.kind = 'new_destination' and l.purpose = 'withdrawal'
          and h.held_at <= (select business_now()) - make_interval(secs => l.wait_seconds)))
    order by h.held_at, h.id limit ${limit}`);
}
