import type { Operation } from "#server/contract/operation.ts";
import * as settlementOperations from "#server/contract/settlement/v1/operations.ts";

/** Every operation of the settlement surface, as the service itself reads them. */
export const OPERATIONS: readonly Operation[] = Object.values(settlementOperations);
