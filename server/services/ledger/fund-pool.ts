import type { Database } from "#db/client.ts";
import { changePoolTotal, lockPool } from "#db/queries/fiat-pools.ts";
import { hasPosted, insertLedgerEntry } from "#db/queries/ledger-entries.ts";
import { poolFunded } from "#server/domain/ledger.ts";
import { Refusal } from "#server/domain/refusal.ts";

export type FundPool = {
  currency: string;
  /** Below zero: taken out of the pool. */
  amountMinor: bigint;
  /** Tells one payment into the pool from another: the same reference is booked once. */
  reference: string;
  now: Date;
};

/**
 * Books what the operator has paid into a fiat pool with the provider, in the caller's transaction. Answers false, and changes
 * nothing, when it was booked under that reference before.
 *
 * @throws Refusal `not_found` when there is no pool of that currency
 */
export async function fundPool(tx: Database, { currency, amountMinor, reference, now }: FundPool): Promise<boolean> {
  const entry = poolFunded(currency, amountMinor, reference);
  // Under the pool's lock two of the same reference come one after the other.
  if ((await lockPool(tx, currency)) === null) throw new Refusal("not_found", { detail: "There is no such pool." });
  if (await hasPosted(tx, entry)) return false;
  await changePoolTotal(tx, currency, amountMinor, now);
  await insertLedgerEntry(tx, entry, now);
  return true;
}
