import type { Scope } from "./access.ts";

/** What was asked with keys and answered, by operation; `outside`: from other addresses than those allowed. */
export type PastRequests = {
  rows: readonly { operation: string; count: number; outside: number }[];
  examined: number;
  isSample: boolean;
};

/** What a change of keys would have refused of the `answered` requests. `isSample`: the newest `examined` requests were looked at. */
export type KeyEffect = {
  refused: number;
  answered: number;
  examined: number;
  isSample: boolean;
  operations: { operation: string; count: number }[];
};

/** The operations with the most refusals that are named. */
const NAMED = 5;

/** `scopeOf`: what a key must carry for an operation; null: nothing. Without `rights` there is no key any more. */
export function keyEffect(
  { rows, examined, isSample }: PastRequests,
  rights: { scopes: readonly Scope[]; scopeOf: (operation: string) => Scope | null } | null,
): KeyEffect {
  const refusedOf = ({ operation, count, outside }: PastRequests["rows"][number]) => {
    const scope = rights?.scopeOf(operation) ?? null;
    return rights === null || (scope !== null && !rights.scopes.includes(scope)) ? count : outside;
  };
  const operations = rows
    .map((row) => ({ operation: row.operation, count: refusedOf(row) }))
    .filter(({ count }) => count > 0)
    .toSorted((left, right) => right.count - left.count);
  return {
    refused: operations.reduce((sum, { count }) => sum + count, 0),
    answered: rows.reduce((sum, { count }) => sum + count, 0),
    examined,
    isSample,
    operations: operations.slice(0, NAMED),
  };
}
