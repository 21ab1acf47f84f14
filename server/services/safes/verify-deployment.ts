import { lockSafeDeployment } from "#db/queries/safes/safe-deployments.ts";
import { findTransferOf } from "#db/queries/transfers/transfers.ts";
import { ZERO_ADDRESS } from "#domain/evm-intent.ts";
import { areSameAddresses } from "#domain/safe.ts";
import type { SafeDeployment } from "#domain/safe-deployment.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, type EvmNode, Unreachable } from "#server/ports.ts";
import { concludeDeployment, failDeployment } from "./complete-deployment.ts";
import { askChain } from "./read-own-safe.ts";

/**
 * Checks the result of a final transaction on the chain, and ends the deployment accordingly. The code's hash must be the canonical one,
 * and a Safe must have the requested owners, threshold and contracts.
 *
 * @throws Unreachable
 */
export async function verifyDeployment(ctx: Uses<"db">, chain: EvmChain, deployment: SafeDeployment): Promise<void> {
  const { address } = deployment;
  if (address === null) throw new Error("a deployment that was made has no address");
  const transfer = await findTransferOf(ctx.db, "deployment", deployment.id);
  const isDeployed = await askChain(chain, async (node) => {
    await refuseBehind(node, transfer?.blockNumber ?? null);
    if (deployment.kind === "owner_swap") return await isSwapped(node, deployment, address);
    return deployment.kind === "safe"
      ? await isTheSafe(chain, node, deployment, address)
      : await isTheContract(chain, node, deployment, address);
  });
  await ctx.db.transaction(async (tx) => {
    const held = await lockSafeDeployment(tx, deployment.id);
    if (held?.state !== "made") return;
    if (isDeployed) await concludeDeployment(tx, held);
    else await failDeployment(tx, held, held.failureReason ?? whyNot(held, address));
  });
}

function whyNot({ kind }: SafeDeployment, address: string): string {
  return kind === "owner_swap"
    ? `The Safe ${address} does not have the owner that it was to get.`
    : `The contract at ${address} is not the one that was to be deployed there.`;
}

async function isSwapped(node: EvmNode, { owners }: SafeDeployment, address: string): Promise<boolean> {
  const [from = "", to = ""] = (owners ?? []).map((owner) => owner.toLowerCase());
  const now = (await node.safe(address))?.owners.map((owner) => owner.toLowerCase()) ?? [];
  return now.includes(to) && !now.includes(from);
}

/** A node that has not reached the transaction's block yet contradicts nothing. */
async function refuseBehind(node: EvmNode, blockNumber: number | null): Promise<void> {
  const head = await node.block("latest");
  if (head === null || (blockNumber !== null && head.height < blockNumber)) throw new Unreachable(`${node.name} is behind the chain`);
}

async function isTheContract({ safes }: EvmChain, node: EvmNode, { kind, version }: SafeDeployment, address: string): Promise<boolean> {
  const code = safes.recognise(await node.code(address));
  return code?.contract === kind && code.version === version;
}

/** Whether the contract at the address is a Safe of the canonical code with these owners and this threshold, and with nothing that acts for them. */
export async function isTheSafe(
  { safes }: EvmChain,
  node: EvmNode,
  wanted: Pick<SafeDeployment, "version" | "owners" | "threshold">,
  address: string,
): Promise<boolean> {
  const { version } = wanted;
  const safe = await node.safe(address);
  if (safe === null) return false;
  const [proxy, logic, handler] = [
    safes.recognise(await node.code(address)),
    safes.recognise(await node.code(safe.masterCopy)),
    safes.recognise(await node.code(safe.fallbackHandler)),
  ];
  return (
    proxy?.contract === "proxy" &&
    [proxy, logic, handler].every((code) => code?.version === version) &&
    logic?.contract === "master_copy" &&
    handler?.contract === "fallback_handler" &&
    safe.version === version &&
    areSameAddresses(safe.owners, wanted.owners ?? []) &&
    safe.threshold === wanted.threshold &&
    safe.modules.length === 0 &&
    safe.guard === ZERO_ADDRESS
  );
}
