/** What several askers of a shared transaction ask in one turn, and have not sent. */
export type Unsent = { send(): void; drop(error: unknown): void };

/** What several askers share of a transaction. */
const SHARED = new WeakMap<object, Set<Unsent>>();

/** Those who work on this transaction at the same time ask together. Whatever fails one of them fails the transaction for all. */
export function markShared(tx: object): void {
  SHARED.set(tx, new Set());
}

/** undefined: the transaction is one's own. */
export function unsentOf(tx: object): Set<Unsent> | undefined {
  return SHARED.get(tx);
}

/** Sends what was asked and waits for its turn to end: before a commit. */
export function sendGathered(tx: object): void {
  for (const { send } of SHARED.get(tx) ?? []) send();
}

/** Drops what was asked and waits for its turn to end: before a rollback. Whoever asked is told the error. */
export function dropGathered(tx: object, error: unknown): void {
  for (const { drop } of SHARED.get(tx) ?? []) drop(error);
}
