/**
 * Pages that could not be made because the database or another part is away, by request id. Next knows only that a page failed: who
 * hears of the error tells it here, and the front door, another copy of the code in the same process, answers accordingly.
 */
declare global {
  var settlementUnavailable: Set<string> | undefined;
}

export function unavailablePages(): Set<string> {
  globalThis.settlementUnavailable ??= new Set();
  return globalThis.settlementUnavailable;
}
