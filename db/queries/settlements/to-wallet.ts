import { type SQL, sql } from "drizzle-orm";
import type { Layout } from "#db/layout.ts";
import { settlements } from "#db/schema/settlements.ts";

/**
 * Whether a settlement pays to a wallet, in any case of its letters. A partner's are found by the view, because behind a policy no index
 * serves `lower(…) =`. Citus has no such view of its nodes' rows.
 */
export function isToWallet(wallet: string, partnerId: string | undefined, layout: Layout): SQL {
  const key = wallet.toLowerCase();
  return partnerId === undefined || layout === "citus"
    ? sql`lower(${settlements.walletAddress}) = ${key}`
    : sql`${settlements.id} = any(array(select w.id from settlements_by_wallet w where w.wallet = ${key} and w.partner_id = ${partnerId}::uuid))`;
}
