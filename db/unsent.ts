/** What several askers share of a transaction: what they ask in one turn, and have not sent. */
const SHARED = new WeakMap<object, Set<() => void>>();

/** Those who work on this transaction at the same time ask together. Whatever fails one of them fails the transaction for all. */
export function markShared(tx: object): void {
  SHARED.set(tx, new Set());
}

/** undefined: the transaction is one's own. */
export function unsentOf(tx: object): Set<() => void> | undefined {
  return SHARED.get(tx);
}

/** Sends what was asked and waits for its turn to end: before a commit. */
export function sendGathered(tx: object): void {
  for (const send of SHARED.get(tx) ?? []) send();
}
