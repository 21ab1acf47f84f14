import type { Operation } from "#contract/operation.ts";
import { echo } from "#contract/settlement/v1/echo.ts";
import * as settlementOperations from "#contract/settlement/v1/operations.ts";
import { proveSettlementOperation } from "#contract/settlement/v1/proof.ts";

/** Every operation of the settlement surface, as the service itself reads them: settlements first, then by path. */
export const OPERATIONS: readonly Operation[] = [...Object.values(settlementOperations), proveSettlementOperation, echo].toSorted(
  (left, right) => rank(left).localeCompare(rank(right), "en") || right.method.localeCompare(left.method, "en"),
);

function rank({ path }: Operation): string {
  return `${path.includes("/settlements") ? 0 : 1} ${path.replaceAll("{", "~")}`;
}
