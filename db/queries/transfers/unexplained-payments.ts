import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { unexplainedPayments } from "#db/schema/unexplained-payments.ts";

export type UnexplainedPayment = typeof unexplainedPayments.$inferSelect;

/** Keeps what was found. What is kept already stays as it is. */
export async function insertUnexplained(tx: Database, payments: readonly UnexplainedPayment[]): Promise<void> {
  if (payments.length === 0) return;
  await tx
    .insert(unexplainedPayments)
    .values([...payments])
    .onConflictDoNothing();
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
