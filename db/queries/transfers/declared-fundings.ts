import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";

/** A deposit of the operator's that two people have declared, and no line has answered to yet. */
export type DeclaredFunding = { proposalId: string; hash: string; currency: string; amountBase: bigint };

/** Those of a chain, the oldest first. */
export async function listDeclaredFundings(db: Database, chain: string): Promise<DeclaredFunding[]> {
  const rows = await db.execute<{ id: string; hash: string; currency: string; amount: string }>(sql`
    select p.id, p.body ->> 'hash' as hash, p.body ->> 'currency' as currency, p.body ->> 'amount_base' as amount from proposals p
    where p.kind = 'treasury_funding' and p.outcome = 'carried_out' and p.body ->> 'chain' = ${chain}
      and not exists (select 1 from suspense_lines l where l.chain = ${chain} and l.proposal_id = p.id)
    order by p.decided_at, p.id`);
  return rows.map(({ id, amount, ...row }) => ({ ...row, proposalId: id, amountBase: BigInt(amount) }));
}

/** Whether two people have declared that very deposit. */
export async function isFundingDeclared(db: Database, subject: string): Promise<boolean> {
  const rows = await db.execute(
    sql`select 1 from proposals where kind = 'treasury_funding' and subject = ${subject} and outcome = 'carried_out' limit 1`,
  );
  return rows.length > 0;
}
