import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { broughtSafes } from "#db/schema/brought-safes.ts";
import { listDeployedSafes } from "./safe-owners.ts";

/** Wallets that members brought and that the chain was not asked about for a day, the new ones first. In lower case. */
export async function listUnasked(db: Database, chain: string, limit: number): Promise<string[]> {
  const rows = await db.execute<{ address: string }>(sql`
    select lower(m.wallet_address) as address from members m
      left join brought_safes b on b.chain = m.chain and b.address = lower(m.wallet_address)
    where m.chain = ${chain} and m.safe_status is null and m.wallet_address is not null
      and (b.asked_at is null or b.asked_at < clock_timestamp() - interval '1 day')
    group by 1 order by min(b.asked_at) nulls first limit ${limit}`);
  return rows.map(({ address }) => address);
}

/** Stores what the chain says about a wallet. */
export async function saveBroughtSafe(db: Database, safe: { chain: string; address: string; isOurs: boolean }): Promise<void> {
  const { isOurs } = safe;
  const askedAt = sql`clock_timestamp()`;
  await db
    .insert(broughtSafes)
    .values({ ...safe, askedAt })
    .onConflictDoUpdate({ target: [broughtSafes.chain, broughtSafes.address], set: { isOurs, askedAt } });
}

/** The Safes of a chain whose movements are ours to explain: those that this service deployed, and those brought that are ours alone. */
export async function listWatchedSafes(db: Database, chain: string): Promise<string[]> {
  const brought = await db
    .select({ address: broughtSafes.address })
    .from(broughtSafes)
    .where(and(eq(broughtSafes.chain, chain), eq(broughtSafes.isOurs, true)));
  const addresses = [...(await listDeployedSafes(db, chain)), ...brought.map(({ address }) => address)];
  return [...new Set(addresses.map((address) => address.toLowerCase()))];
}
