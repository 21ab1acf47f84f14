import { z } from "zod";
import { safeCreateSchema } from "#contract/partner/safes.ts";
import { caip2, instant, plainText } from "#contract/primitives.ts";
import { SAFE_VERSIONS } from "#domain/safe.ts";
import { type EthTx, SAFE_DEPLOYMENT_KINDS, SAFE_DEPLOYMENT_STATES, type SafeDeployment } from "#domain/safe-deployment.ts";
import { walkFields } from "#server/console/walk.ts";

/** What is asked about Safes and the contracts they stand on, and what is answered. For the operator alone. */

export const deploymentPage = z.strictObject({
  kind: z.enum(SAFE_DEPLOYMENT_KINDS).optional(),
  state: z.enum(SAFE_DEPLOYMENT_STATES).optional(),
  chain: caip2.optional(),
  ...walkFields,
});
export const oneDeployment = z.strictObject({ id: plainText(1, 64) });

/** One a dialog: the same again is the same deployment. */
const requestKey = z.uuid();
export const createSafeInput = z.strictObject({ request_key: requestKey, safe: safeCreateSchema });
/** What the operator deploys by itself: the factory comes along with the first Safe that needs it. */
export const createContractInput = z.strictObject({
  request_key: requestKey,
  contract: z.enum(["master_copy", "fallback_handler"]),
  chain: caip2,
  version: z.enum(SAFE_VERSIONS),
});

export function renderDeployment(deployment: SafeDeployment) {
  return {
    id: deployment.id,
    kind: deployment.kind,
    chain: deployment.chain,
    version: deployment.version,
    shared: deployment.shared,
    owners: deployment.owners,
    threshold: deployment.threshold,
    member_id: deployment.memberId,
    state: deployment.state,
    address: deployment.address,
    waiting_reason: deployment.waitingReason,
    failure_reason: deployment.failureReason,
    created_at: instant(deployment.createdAt),
    updated_at: instant(deployment.updatedAt),
  };
}
export type DeploymentWire = ReturnType<typeof renderDeployment>;

/** The transaction as it was signed, its numbers as exact texts. */
export function renderSignedTx(tx: EthTx) {
  return {
    tx_hash: tx.txHash,
    contract_address: tx.contractAddress,
    from: tx.from,
    to: tx.to,
    data: tx.data,
    value: tx.valueBase.toString(),
    gas: tx.gas.toString(),
    nonce: tx.nonce,
    chain_id: tx.chainId,
  };
}
