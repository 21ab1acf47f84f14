import { jwksOperation } from "#contract/jwks.ts";
import { leakedKeyOperation } from "#contract/leaked-key.ts";
import type { Operation } from "#contract/operation.ts";
import { PARTNER_OPERATIONS } from "#contract/partner/operations.ts";
import * as batchOperations from "#contract/settlement/v1/batch-operations.ts";
import * as callbackOperations from "#contract/settlement/v1/callback-operations.ts";
import * as decisions from "#contract/settlement/v1/decisions.ts";
import { echo } from "#contract/settlement/v1/echo.ts";
import * as destinationOperations from "#contract/settlement/v1/event-destination-operations.ts";
import * as eventOperations from "#contract/settlement/v1/event-operations.ts";
import * as settlementOperations from "#contract/settlement/v1/operations.ts";
import { proofStatusOperation, proveSettlementOperation } from "#contract/settlement/v1/proof.ts";
import { timeOperation } from "#contract/time.ts";

/** Every operation of the settlement surface, as the service itself reads them: settlements first, then by path. */
export const OPERATIONS: readonly Operation[] = [
  ...Object.values(settlementOperations),
  ...Object.values(batchOperations),
  ...Object.values(eventOperations),
  ...Object.values(callbackOperations),
  ...Object.values(destinationOperations),
  proveSettlementOperation,
  proofStatusOperation,
  leakedKeyOperation,
  echo,
  timeOperation,
  jwksOperation,
].toSorted((left, right) => rank(left).localeCompare(rank(right), "en") || right.method.localeCompare(left.method, "en"));

/** Every operation of the partner-management surface, including an operator's decisions on settlements. */
export const MANAGEMENT_OPERATIONS: readonly Operation[] = [...PARTNER_OPERATIONS, ...Object.values(decisions)];

function rank({ path }: Operation): string {
  return `${path.includes("/settlements") ? 0 : path.startsWith("/api/") ? 1 : 2} ${path.replaceAll("{", "~")}`;
}
