import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { unexplainedPayments } from "#db/schema/unexplained-payments.ts";

export type UnexplainedPayment = typeof unexplainedPayments.$inferSelect;

/** Keeps what was found. What is kept already stays as it is. Whether any of it is new. */
export async function insertUnexplained(tx: Database, payments: readonly UnexplainedPayment[]): Promise<boolean> {
  if (payments.length === 0) return false;
  const { count } = await tx
    .insert(unexplainedPayments)
    .values([...payments])
    .onConflictDoNothing();
  return count > 0;
}

/** `isDecided`: people have released a payment that this one held. */
export type OpenUnexplained = Pick<UnexplainedPayment, "hash" | "place" | "token" | "sender" | "recipient" | "amountBase"> & {
  isDecided: boolean;
};

/**
 * What was paid to one of these recipients, or out of one of these Safes, and is unexplained still: it proves no transfer, and people have
 * refused no payment because of it. Addresses in lower case.
 */
export async function listUnexplained(
  db: Database,
  chain: string,
  { recipients, senders }: { recipients: readonly string[]; senders: readonly string[] },
): Promise<OpenUnexplained[]> {
  const among = (addresses: readonly string[]) => sql`in (select jsonb_array_elements_text(${JSON.stringify(addresses)}::jsonb))`;
  const decided = (outcome: string) => sql`exists (select 1 from payment_holds h
    where h."check" = 'unexplained_payment' and h.outcome = ${outcome} and (u.hash || ':' || u.place) = any(h.keys))`;
  const rows = await db.execute<{
    hash: string;
    place: number;
    token: string | null;
    sender: string;
    recipient: string;
    amount: string;
    decided: boolean;
  }>(sql`
    select u.hash, u.place, u.token, u.sender, u.recipient, u.amount_base::text as amount, ${decided("released")} as decided
    from unexplained_payments u
    where u.chain = ${chain} and (u.recipient ${among(recipients)} or u.sender ${among(senders)})
      and not exists (select 1 from transfer_proofs p where p.chain = u.chain and p.hash = u.hash)
      and not ${decided("refused")}
    order by u.height, u.hash, u.place`);
  return rows.map(({ amount, decided: isDecided, ...row }) => ({ ...row, amountBase: BigInt(amount), isDecided }));
}

/** Which of these transactions are kept as unexplained. */
export async function listKeptHashes(db: Database, chain: string, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await db.execute<{ hash: string }>(
    sql`select distinct hash from unexplained_payments
      where chain = ${chain} and hash in (select jsonb_array_elements_text(${JSON.stringify(hashes)}::jsonb))`,
  );
  return new Set(rows.map(({ hash }) => hash));
}

/** Rows `u` of what left our wallets in unknown transactions that are neither proof of a payment nor booked as lost. */
export const IS_UNBOOKED = sql`exists (select 1 from wallets w where w.chain = u.chain and lower(w.address) = u.sender)
  and not exists (select 1 from transfer_proofs p where p.chain = u.chain and lower(p.hash) = u.hash)
  and not exists (select 1 from ledger_entries e where e.cause = 'treasury' and e.step = 'lost' and e.cause_id = u.chain || ':' || u.hash)`;

/** The tokens of a chain (null: its coin) of which something left our wallets that is not explained yet. Addresses in lower case. */
export async function listUnexplainedTokens(db: Database, chain: string): Promise<(string | null)[]> {
  const rows = await db.execute<{ token: string | null }>(
    sql`select distinct u.token from unexplained_payments u where u.chain = ${chain} and ${IS_UNBOOKED}`,
  );
  return rows.map(({ token }) => token);
}
