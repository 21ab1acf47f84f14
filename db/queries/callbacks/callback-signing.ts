import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";

/** What signs a callback of one API key's making, sealed as stored. */
export type SealedSigning = {
  /** The partner's `whsec_…` secrets in force, newest first: two while a rotation overlaps. */
  webhookSecrets: string[];
  /** null: the partner has no key at all. */
  apiSecret: string | null;
};

/**
 * The secrets for callbacks of these API keys, by the key's id. Of a key that is revoked or expired at `now` (real time) the
 * partner's newest live key takes the place (contract, part 4); of a partner without any live key, the newest there was.
 */
export async function findCallbackSigning(db: Database, apiKeyIds: readonly string[], now: Date): Promise<Map<string, SealedSigning>> {
  const instant = now.toISOString();
  const rows = await db.execute<{ id: string; api_secret: string | null; webhook_secrets: string[] | null }>(sql`
    select made.id, signer.sealed_secret as api_secret, (
      select array_agg(s.sealed_secret order by s.created_at desc, s.id) from callback_secrets s
      where s.partner_id = made.partner_id and (s.expires_at is null or s.expires_at > ${instant}::timestamptz)
    ) as webhook_secrets
    from api_keys made left join lateral (
      select k.sealed_secret from api_keys k where k.partner_id = made.partner_id
      order by (k.revoked_at is null and (k.expires_at is null or k.expires_at > ${instant}::timestamptz)) desc,
        (k.id = made.id) desc, k.created_at desc, k.id
      limit 1
    ) signer on true
    where made.id in (select jsonb_array_elements_text(${JSON.stringify(apiKeyIds)}::jsonb)::uuid)`);
  return new Map(rows.map((row) => [row.id, { webhookSecrets: row.webhook_secrets ?? [], apiSecret: row.api_secret }]));
}

/** The partner's newest key that is in force at `now` (real time), else the newest there was; null: it has none. */
export async function findNewestKeyOf(db: Database, partnerId: string, now: Date): Promise<string | null> {
  const [row] = await db.execute<{ id: string }>(sql`
    select k.id from api_keys k where k.partner_id = ${partnerId}
    order by (k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now.toISOString()}::timestamptz)) desc, k.created_at desc, k.id
    limit 1`);
  return row?.id ?? null;
}
