import type { Database } from "#db/client.ts";
import { type AskedPayment, askConfirming } from "#db/queries/exposure/ask-limits.ts";
import { areLimitsInForce, expectsLimits, rememberLimits } from "#db/queries/exposure/in-force.ts";
import { sentTogether } from "#db/transaction.ts";
import { type LockedSettlement, lockForChange } from "./settlements.ts";

/** A settlement to confirm with a reference, by that key; null: by a person. */
export type Confirming = { id: string; partnerId: string; reference: string; apiKeyId: string | null };

/** Locked, with the limits that concern its payment; null: none does. */
export type ToConfirm = LockedSettlement & { limited: AskedPayment | null };

/**
 * Locks it, and then reads its limits, so that limits activated while it waited count. Until this transaction ends, no other one uses the
 * same counters. Without active limits nothing is read. Null: the partner has no such settlement.
 */
export async function lockToConfirm(tx: Database, { id, partnerId, reference, apiKeyId }: Confirming): Promise<ToConfirm | null> {
  const ask = () => askConfirming(tx, [{ id, partnerId, apiKeyId }]);
  const isExpected = expectsLimits(partnerId);
  const [locked, areInForce, asked] = await sentTogether(
    lockForChange(tx, [{ id, partnerId, reference }]),
    isExpected ? Promise.resolve(true) : areLimitsInForce(tx),
    isExpected ? ask() : Promise.resolve(null),
  );
  if (!isExpected) rememberLimits(partnerId, areInForce);
  const [limited = null] = asked ?? (areInForce ? await ask() : []);
  const held = locked.get(id);
  return held === undefined ? null : { ...held, limited };
}
