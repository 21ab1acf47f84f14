import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { type Destination, PAYEES, UNANSWERED } from "#domain/screening.ts";
import type { TransferPurpose } from "#domain/transfer.ts";

/** A payment that is held only because a source did not answer. */
export type UnansweredHold = {
  id: string;
  transferId: string;
  purpose: TransferPurpose;
  ownerId: string;
  partnerId: string | null;
  keys: string[];
  heldAt: Date;
  destination: Destination;
};
export type HoldPlace = { heldAt: Date; id: string };

/** Those behind a place, oldest first. */
export async function listUnansweredHolds(db: Database, after: HoldPlace | null, limit: number): Promise<UnansweredHold[]> {
  const place = after === null ? sql`true` : sql`(h.held_at, h.id) > (${after.heldAt.toISOString()}::timestamptz, ${after.id})`;
  type Row = Omit<UnansweredHold, "heldAt" | "destination"> & Destination & { heldAt: string };
  const rows = await db.execute<Row>(sql`
    select h.id, t.id as "transferId", h.purpose, h.owner_id as "ownerId", h.partner_id as "partnerId", h.keys, h.held_at as "heldAt",
      case when w.id is null then t.chain else ${PAYEES} end as chain, case when w.id is null then t.token_address end as "tokenAddress",
      coalesce(w.destination_name, t.recipient) as address
    from payment_holds h join transfers t on t.purpose = h.purpose and t.owner_id = h.owner_id
    left join withdrawals w on h.purpose = 'sweep' and w.id = h.owner_id and of_partner(w.partner_id, h.partner_id)
    where h.outcome = 'open' and h.check = 'screening' and ${place}
      and not exists (select 1 from unnest(h.keys) as k(key) where k.key not like ${`%${UNANSWERED}`})
    order by h.held_at, h.id limit ${limit}`);
  return rows.map(({ heldAt, chain, tokenAddress, address, ...hold }) => {
    return { ...hold, heldAt: new Date(heldAt), destination: { chain, tokenAddress, address } };
  });
}
