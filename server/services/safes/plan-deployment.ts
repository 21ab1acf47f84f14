import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { lockMemberById, saveMember } from "#db/queries/members/members.ts";
import { lockSafeDeployment, saveSafeDeployment } from "#db/queries/safes/safe-deployments.ts";
import { holdSigningWallet } from "#db/queries/transfers/wallets.ts";
import { ZERO_ADDRESS } from "#domain/evm-intent.ts";
import type { SafeContract } from "#domain/safe.ts";
import { advanceDeployment, type SafeDeployment } from "#domain/safe-deployment.ts";
import type { TransferCall } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import type { EvmChain } from "#server/ports.ts";
import { enqueueTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import type { Located } from "./locate-contracts.ts";
import { chooseOwner } from "./own-wallet.ts";
import { abandonSwap, planSwap, type SwapOver } from "./plan-swap.ts";
import { askChain } from "./read-own-safe.ts";

/** The exact transaction, and the address that results; null: the nonce determines it. `owner`: a wallet of ours that will own it. */
type Plan = { call: TransferCall; owners: string[] | null; address: string | null; owner?: string };
export type PlanningPowers = Uses<"db" | "signers">;

/**
 * Enqueues a deployment's transfer, once its exact transaction is known.
 *
 * @returns why it is not known yet; null: it is enqueued
 * @throws Unreachable
 */
export async function planDeployment(
  ctx: PlanningPowers,
  chain: EvmChain,
  deployment: SafeDeployment,
  locate: () => Promise<Located>,
): Promise<string | null> {
  const plan = await planKind(ctx, chain, deployment, locate);
  if ("waiting" in plan) return plan.waiting;
  if ("over" in plan) {
    await ctx.db.transaction(async (tx) => await abandonSwap(tx, deployment, plan));
    return null;
  }
  return await ctx.db.transaction(async (tx) => {
    const held = await lockSafeDeployment(tx, deployment.id);
    if (held?.state !== "asked") return null; // another worker was faster, or nobody waits for it any more
    // What stops the wallet from now on waits until it is owed.
    if (plan.owner !== undefined && !(await holdSigningWallet(tx, { chain: chain.chain, address: plan.owner }))) return OWNER_STOPPED;
    const now = await readBusinessNow(tx);
    const { call, owners, address } = plan;
    await saveSafeDeployment(tx, advanceDeployment(held, { type: "owe", owners, address }, now));
    await enqueueTransfer(tx, {
      purpose: "deployment",
      ownerId: held.id,
      partnerId: held.partnerId,
      chain: held.chain,
      currency: chain.native.currency,
      tokenAddress: null,
      tokenDecimals: chain.native.decimals,
      amountBase: 0n,
      recipient: address ?? ZERO_ADDRESS,
      call,
      trace: held.trace,
      now,
    });
    if (held.memberId === null || address === null) return null;
    if (await lockMemberById(tx, held.memberId)) await saveMember(tx, held.memberId, { walletAddress: address, updatedAt: now });
    return null;
  });
}

const OWNER_STOPPED = "The treasury wallet that was to own the Safe has been stopped.";

async function planKind(
  ctx: PlanningPowers,
  chain: EvmChain,
  deployment: SafeDeployment,
  locate: () => Promise<Located>,
): Promise<Plan | { waiting: string } | SwapOver> {
  const { kind } = deployment;
  if (kind === "owner_swap") return await planSwap(ctx, chain, deployment);
  return kind === "safe" ? await planSafe(ctx, chain, deployment, locate) : await planContract(chain, deployment, kind);
}

async function planSafe(
  ctx: PlanningPowers,
  chain: EvmChain,
  { version, owners: wanted, threshold, saltNonce }: SafeDeployment,
  locate: () => Promise<Located>,
): Promise<Plan | { waiting: string }> {
  if (threshold === null || saltNonce === null) throw new Error("a Safe that was asked for has no threshold or no salt");
  const located = await locate();
  if ("waiting" in located) return located;
  const chosen = wanted === null ? await chooseOwner(ctx, chain) : null;
  if (chosen !== null && "waiting" in chosen) return chosen;
  const owners = wanted ?? (chosen === null ? [] : [chosen.owner]);
  const plan = await chain.safes.createSafe({ ...located.contracts, version, owners, threshold, saltNonce: BigInt(saltNonce) });
  return { ...plan, owners, ...chosen };
}

/** A contract for all goes to the place where others look for it, if the chain has who puts it there; one more copy goes anywhere. */
async function planContract(chain: EvmChain, { version, shared }: SafeDeployment, contract: SafeContract): Promise<Plan> {
  for (const { deployer, address } of shared ? chain.safes.homes(contract, version) : []) {
    if ((await askChain(chain, (node) => node.code(deployer))) === "0x") continue;
    return { call: await chain.safes.deploy(contract, version, deployer), owners: null, address };
  }
  return { call: await chain.safes.deploy(contract, version, null), owners: null, address: null };
}
