import { type Operation, wantedScopes } from "#contract/operation.ts";
import { PARTNER_OPERATIONS } from "#contract/partner/operations.ts";
import * as batches from "#contract/settlement/v1/batch-operations.ts";
import * as callbacks from "#contract/settlement/v1/callback-operations.ts";
import * as decisions from "#contract/settlement/v1/decisions.ts";
import * as destinations from "#contract/settlement/v1/event-destination-operations.ts";
import * as events from "#contract/settlement/v1/event-operations.ts";
import * as settlements from "#contract/settlement/v1/operations.ts";
import type { Scope } from "#domain/access.ts";

const OPERATIONS: readonly Operation[] = [
  ...PARTNER_OPERATIONS,
  ...[settlements, batches, callbacks, decisions, destinations, events].flatMap((group): Operation[] => Object.values(group)),
];
const KNOWN = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

/** The scope that a key of a partner, or of the operator, must carry for an operation, as the log of requests names it; null: none. */
export function scopeOf(side: "partner" | "operator"): (operation: string) => Scope | null {
  return (id) => {
    const operation = KNOWN.get(id);
    return operation === undefined ? null : (wantedScopes(operation).find((wanted) => wanted.side === side)?.scope ?? null);
  };
}
