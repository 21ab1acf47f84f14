import type { Destination } from "#domain/screening.ts";
import type { Settlement } from "#domain/settlement.ts";

/**
 * Where the settlements pay to that this process has quoted lately: it never changes, and a confirmation must know it before it holds the
 * settlement's row. Anyone who does not find it here asks the database.
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
