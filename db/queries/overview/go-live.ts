import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { GoLiveStep } from "#domain/go-live.ts";

/** What a partner has finished before live mode, but for its pairs. `now`: real time, in which keys and secrets end. */
export async function readGoLiveFacts(db: Database, partnerId: string, now: Date): Promise<Record<Exclude<GoLiveStep, "limits">, boolean>> {
  const id = sql`partner_id = ${partnerId}::uuid`;
  const at = sql`${now.toISOString()}::timestamptz`;
  const [row] = await db.execute<Record<Exclude<GoLiveStep, "limits">, boolean>>(sql`
    with keys as (
      select signed_management and signed_reads as signs, cardinality(allowed_ips) > 0 as limited from api_keys
      where ${id} and (expires_at is null or expires_at > ${at}) and (revoked_at is null or revoked_at > ${at})
    )
    select coalesce((select bool_and(signs) from keys), false) as signed_keys,
      coalesce((select bool_and(limited) from keys), false) as key_addresses,
      exists (select 1 from callback_secrets where ${id} and (expires_at is null or expires_at > ${at})) as callback_secret,
      (select receiver_certified_at is not null from partners where id = ${partnerId}::uuid) as receiver_certified,
      (select count(*) >= 2 from users where ${id} and role = 'owner' and disabled_at is null
        and (has_totp or has_passkey(users.id)
          or exists (select 1 from identities where user_id = users.id))) as people,
      exists (select 1 from settlements where ${id} and status = 'executed')
        and exists (select 1 from callbacks where ${id} and state = 'delivered') as first_payment`);
  if (row === undefined) throw new Error("a statement without a table answered nothing");
  return row;
}
