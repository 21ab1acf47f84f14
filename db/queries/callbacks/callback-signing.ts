import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";

/** What signs a callback of one API key's making, sealed as stored. */
export type SealedSigning = {
  /** The partner's `whsec_…` secrets in force, newest first: two while a rotation overlaps. */
  webhookSecrets: string[];
  /** The partner whose secrets those are. */
  secretsOf: string;
  apiSecret: string;
  /** The key whose secret it is. */
  signerId: string;
};

/**
 * The secrets for callbacks of an API key. For a key that is revoked or expired at `now` (real time), those of the partner's newest valid
 * key (contract, part 4); without any valid key, of its newest.
 */
export async function findCallbackSigning(db: Database, apiKeyId: string, now: Date): Promise<SealedSigning | undefined> {
  const [row] = await db.execute<SealedSigning>(
    sql`select ${signingColumns} from (${signingOf(sql`select ${apiKeyId}::uuid`, now)}) signing`,
  );
  return row;
}

/** As columns of `signing`. */
export const signingColumns = sql`signing.api_secret as "apiSecret", signing.webhook_secrets as "webhookSecrets",
  signing.signer_id as "signerId", signing.secrets_of as "secretsOf"`;

/** A row for each of these keys that there is. */
export function signingOf(apiKeyIds: SQL, now: Date): SQL {
  return sql`
    select made.id, made.partner_id as secrets_of, signer.id as signer_id, signer.sealed_secret as api_secret, array(
      select s.sealed_secret from callback_secrets s
      where s.partner_id = made.partner_id and ${lastsBeyond("s.expires_at", now)} order by s.created_at desc, s.id
    ) as webhook_secrets
    from api_keys made cross join lateral (
      select k.id, k.sealed_secret from api_keys k where k.partner_id = made.partner_id
      order by (${isLiveKey(now)}) desc, (k.id = made.id) desc, k.created_at desc, k.id
      limit 1
    ) signer
    where made.id in (${apiKeyIds})`;
}

/** The partner's newest key that is valid at `now` (real time), else its newest; null: it has none. */
export async function findNewestKeyOf(db: Database, partnerId: string, now: Date): Promise<string | null> {
  const [row] = await db.execute<{ id: string }>(sql`
    select k.id from api_keys k where k.partner_id = ${partnerId}
    order by (${isLiveKey(now)}) desc, k.created_at desc, k.id
    limit 1`);
  return row?.id ?? null;
}

/** Whether the key `k` is neither revoked nor expired at `now`. A rotation writes the end of its overlap, which lies ahead, as `revoked_at`. */
function isLiveKey(now: Date): SQL {
  return sql`${lastsBeyond("k.revoked_at", now)} and ${lastsBeyond("k.expires_at", now)}`;
}

function lastsBeyond(column: "s.expires_at" | "k.revoked_at" | "k.expires_at", now: Date): SQL {
  return sql`(${sql.raw(column)} is null or ${sql.raw(column)} > ${now.toISOString()}::timestamptz)`;
}
