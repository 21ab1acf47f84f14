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

/** Whether the partner's first payment of a settlement to a wallet is old enough. The first is one entry of an index: thousands may have come since. */
export function isPaid(layout: Layout, { partner, wallet, till }: { partner: SQL; wallet: SQL; till: SQL }): SQL {
  return layout === "citus"
    ? sql`citus_is_paid(${partner}, ${wallet}, ${till})`
    : sql`coalesce((select min(w.executed_at) from settlements_by_wallet w where w.wallet = lower(${wallet}) and w.partner_id = ${partner}) <= ${till}, false)`;
}
