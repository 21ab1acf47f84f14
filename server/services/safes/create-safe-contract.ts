import type { SafeContract, SafeVersion } from "#domain/safe.ts";
import type { SafeDeployment } from "#domain/safe-deployment.ts";
import type { Uses } from "#server/context.ts";
import { askDeployment, type DeploymentWish } from "./ask-deployment.ts";

export type CreateSafeContract = DeploymentWish & { contract: SafeContract; chain: string; version: SafeVersion };

/**
 * Has one more copy of a contract that Safes stand on deployed, whether or not there is one already (contract, part 9: each call
 * deploys one). Where the chain has none that everybody knows, Safes will stand on it.
 *
 * @throws Refusal `forbidden`, `unsupported_chain`, `idempotency_key_reused`
 */
export async function createSafeContract(
  ctx: Uses<"db" | "clock" | "evm">,
  { contract, chain, version, ...wish }: CreateSafeContract,
): Promise<SafeDeployment> {
  return await askDeployment(ctx, wish, { kind: contract, chain, version, owners: null, threshold: null, saltNonce: null });
}
