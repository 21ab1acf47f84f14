import { defineOperation } from "#contract/operation.ts";
import { WRITE } from "./manners.ts";
import { ethTxSchema, fallbackHandlerCreateSchema, masterContractCreateSchema, safeCreateSchema } from "./safes.ts";

const deploy = {
  ...WRITE,
  method: "POST",
  caller: "operator",
  operatorScope: "treasury",
  result: ethTxSchema,
  status: 201,
  refusals: ["step_up_required", "unsupported_chain", "conflict"],
} as const;

export const createSafeOperation = defineOperation({
  ...deploy,
  id: "create_safe",
  summary: "Create Safe",
  path: "/safes",
  body: safeCreateSchema,
  refusals: ["step_up_required", "unsupported_chain", "invalid_wallet_address", "conflict"],
});

export const createMasterContract130Operation = defineOperation({
  ...deploy,
  id: "create_master_contract_1_3_0",
  summary: "Create Master Contract (1.3.0)",
  path: "/safes/master-contracts/1.3.0",
  body: masterContractCreateSchema,
});

export const createMasterContract141Operation = defineOperation({
  ...deploy,
  id: "create_master_contract_1_4_1",
  summary: "Create Master Contract (1.4.1)",
  path: "/safes/master-contracts/1.4.1",
  body: masterContractCreateSchema,
});

export const createFallbackHandlerOperation = defineOperation({
  ...deploy,
  id: "create_compatibility_fallback_handler",
  summary: "Create Compatibility Fallback Handler",
  path: "/safes/compatibility-fallback-handler",
  body: fallbackHandlerCreateSchema,
});
