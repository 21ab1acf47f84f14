/**
 * Pages that failed because the database or another part is unavailable, by request id. Next only knows that a page failed: the error
 * handler records it here, and the front door, another copy of the code in the same process, answers accordingly.
 */
declare global {
  var settlementUnavailable: Set<string> | undefined;
}

export function unavailablePages(): Set<string> {
  globalThis.settlementUnavailable ??= new Set();
  return globalThis.settlementUnavailable;
}
