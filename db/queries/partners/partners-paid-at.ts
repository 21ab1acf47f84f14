import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";

/** By recipient, in small letters, the names of the partners with a settlement to it; those that nobody has paid are left out. */
export async function listPartnersPaidAt(db: Database, recipients: readonly string[]): Promise<Map<string, string[]>> {
  if (recipients.length === 0) return new Map();
  const asked = JSON.stringify([...new Set(recipients.map((recipient) => recipient.toLowerCase()))]);
  const rows = await db.execute<{ recipient: string; partners: string[] }>(sql`
    select lower(s.wallet_address) as recipient, array_agg(distinct p.name order by p.name) as partners
    from settlements s join partners p on p.id = s.partner_id
    where lower(s.wallet_address) = any(array(select jsonb_array_elements_text(${asked}::jsonb))) group by 1`);
  return new Map(rows.map(({ recipient, partners }) => [recipient, partners]));
}
