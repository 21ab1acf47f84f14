import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";

/** What a sandbox leaves in a database and a live service must never find there. */
export type SandboxTraces = { movedClock: boolean; developmentChain: boolean; fixedRates: boolean; demoUsers: boolean };

export async function findSandboxTraces(db: Database, developmentChains: readonly string[]): Promise<SandboxTraces> {
  const chains = sql`(select jsonb_array_elements_text(${JSON.stringify(developmentChains)}::jsonb))`;
  const rows = await db.execute<{ moved_clock: boolean; development_chain: boolean; fixed_rates: boolean; demo_users: boolean }>(sql`
    select exists (select from business_clock) as moved_clock,
      exists (select from pair_terms where chain in ${chains}) or exists (select from wallets where chain in ${chains})
        or exists (select from settlements where chain in ${chains}) as development_chain,
      exists (select from exchange_rates where stale_at is null) as fixed_rates,
      exists (select from users where email like '%.example') as demo_users`);
  const row = rows[0];
  if (!row) throw new Error("the database did not answer");
  return { movedClock: row.moved_clock, developmentChain: row.development_chain, fixedRates: row.fixed_rates, demoUsers: row.demo_users };
}
