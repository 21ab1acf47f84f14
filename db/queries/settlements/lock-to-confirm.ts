import type { Database } from "#db/client.ts";
import { type AskedPayment, askConfirming } from "#db/queries/exposure/ask-limits.ts";
import { areLimitsInForce, expectsLimits, rememberLimits } from "#db/queries/exposure/in-force.ts";
import { sentTogether } from "#db/transaction.ts";
import { type LockedSettlement, lockForChange } from "./settlements.ts";

/** A settlement to confirm by that key; null: by a person. `reference`: a new one, which nothing of the partner may have. */
export type Confirming = { id: string; partnerId: string; reference?: string; apiKeyId: string | null };

/** Locked, with the limits that concern its payment; null: none does. */
export type ToConfirm = LockedSettlement & { limited: AskedPayment | null };

/**
 * Locks settlements of a partner, in the order of their ids, and then reads their limits, so that limits activated while it waited count.
 * Until this transaction ends, no other one uses the same counters. Without active limits nothing is read. Unknown ones are omitted.
 */
export async function lockToConfirm(tx: Database, confirming: readonly Confirming[]): Promise<ToConfirm[]> {
  const [first] = confirming;
  if (first === undefined) return [];
  const ask = () => askConfirming(tx, confirming);
  const isExpected = expectsLimits(first.partnerId);
  const [locked, areInForce, asked] = await sentTogether(
    lockForChange(tx, confirming),
    isExpected ? Promise.resolve(true) : areLimitsInForce(tx),
    isExpected ? ask() : Promise.resolve(null),
  );
  if (!isExpected) rememberLimits(first.partnerId, areInForce);
  const limited = new Map((asked ?? (areInForce ? await ask() : [])).map((each) => [each.ownerId, each]));
  return [...locked.values()].map((one) => ({ ...one, limited: limited.get(one.settlement.id) ?? null }));
}
