import type { Database } from "#db/client.ts";
import { insertSafeDeployment } from "#db/queries/safes/safe-deployments.ts";
import type { Member } from "#domain/member.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { newDeployment } from "#server/services/safes/ask-deployment.ts";
import { newSaltNonce } from "#server/services/safes/create-safe.ts";

/**
 * Owes the deployment of a member's Safe, 1.4.1 and owned by the service's own wallet alone, in the caller's transaction. The member
 * is `deploying` until the chain says so. A repeat changes nothing, unless the last one failed.
 *
 * @returns the address that the Safe will have; null while it is not known: that is the worker's to find out.
 * @throws Refusal `unsupported_chain`
 */
export async function deployMemberSafe(tx: Database, ctx: Uses<"evm">, member: Member): Promise<string | null> {
  const { id: memberId, partnerId, chain } = member;
  if (ctx.evm.find(chain) === null) {
    const message = "Safes are not supported on this chain: give the member a wallet.";
    throw new Refusal("unsupported_chain", { detail: message, errors: [{ pointer: "/chain", code: "unsupported_chain", message }] });
  }
  const order = { kind: "safe", chain, version: "1.4.1", owners: null, threshold: 1, saltNonce: newSaltNonce() } as const;
  await insertSafeDeployment(tx, await newDeployment(tx, { ...order, memberId, partnerId }));
  return null;
}
