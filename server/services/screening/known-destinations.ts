import type { Destination } from "#domain/screening.ts";
import type { Settlement } from "#domain/settlement.ts";

/**
 * The destinations of settlements that this process quoted recently. They never change, and a confirmation needs one before it locks the
 * settlement's row. A miss reads the database.
 */
const known = new Map<string, Destination & { partnerId: string }>();
const MOST = 10_000;

export function rememberDestination({ id, partnerId, chain, tokenAddress, walletAddress: address }: Settlement): void {
  if (known.size >= MOST) known.clear();
  known.set(id, { partnerId, chain, tokenAddress, address });
}

export function recallDestination(id: string, partnerId: string): Destination | null {
  const found = known.get(id);
  if (found === undefined || found.partnerId !== partnerId) return null;
  const { chain, tokenAddress, address } = found;
  return { chain, tokenAddress, address };
}
