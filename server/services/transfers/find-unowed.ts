import type { Database } from "#db/client.ts";
import { findPaymentOwners } from "#db/queries/transfers/payment-owners.ts";
import { listWalletAddresses } from "#db/queries/transfers/wallets.ts";
import type { EvmIntent } from "#domain/evm-intent.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import { deploymentFault, owedFault, type PaymentOwner, sweepCall } from "#domain/owed-payment.ts";
import type { SafeContract, SafeVersion } from "#domain/safe.ts";
import type { SafeDeployment } from "#domain/safe-deployment.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { EvmChain } from "#server/ports.ts";
import { findCreation } from "./derive-creation.ts";

/** `areReleased`: what people have signed of them was verified before, and is not asked for again. */
export type FindUnowed = (
  tx: Database,
  payments: readonly Transfer[],
  chain: EvmChain | LapsingChain,
  areReleased?: boolean,
) => Promise<ReadonlyMap<string, string>>;

/**
 * Derives each payment again from its owner (a settlement, top-up, withdrawal, deployment or treasury withdrawal), and compares. A row in `transfers` is not
 * enough to be paid: its owner must exist, be in the step that requires it, and have the same amount, token and recipient. A settlement's
 * price must follow from its stored quote and terms, its approvals must be complete, and the audit log must contain its confirmation.
 *
 * @returns by the payment's id, why nobody owes it; payments that agree are omitted
 */
export const findUnowed: FindUnowed = async (tx, payments, chain) => {
  const owners = await findPaymentOwners(tx, payments);
  const evm = "safes" in chain ? chain : null;
  const known = {
    tokens: chain.tokens,
    treasury: await treasuryOf(tx, chain, payments),
    packingContract: evm?.packingContract ?? null,
  };
  const unowed = new Map<string, string>();
  for (const transfer of payments) {
    const owner = owners.get(transfer.id);
    const fault = owedFault(transfer, owner, known) ?? (await callFault(tx, evm, transfer, owner));
    if (fault !== null) unowed.set(transfer.id, fault);
  }
  return unowed;
};

/** What names a wallet of the treasury. */
const WITHIN_THE_TREASURY: ReadonlySet<string> = new Set(["sweep", "filler", "allowance", "treasury_withdrawal"]);

/** Asked only where something stays within the treasury, or must not. */
async function treasuryOf(tx: Database, { chain }: Pick<EvmChain, "chain">, payments: readonly Transfer[]): Promise<string[]> {
  if (!payments.some(({ purpose }) => WITHIN_THE_TREASURY.has(purpose))) return [];
  return await listWalletAddresses(tx, chain);
}

async function callFault(
  tx: Database,
  chain: EvmChain | null,
  transfer: Transfer,
  owner: PaymentOwner | undefined,
): Promise<string | null> {
  if (chain === null) return transfer.call === null ? null : "This chain makes plain payments only.";
  if (owner?.purpose === "deployment")
    return deploymentFault(owner.deployment, transfer.call, await expectedOf(tx, chain, owner.deployment, transfer.call));
  if (owner?.purpose !== "sweep") return null;
  const { withdrawal } = owner;
  const sender = transfer.call?.sender;
  if (transfer.call === null || sender === undefined) return "A sweep is a call of its Safe by the wallet that owns it.";
  const expected = await chain.safes.execute({ safe: withdrawal.safeAddress, owner: sender, call: sweepCall(withdrawal) });
  return isSameCall(expected, transfer.call) ? null : "The call does not hand the withdrawal's crypto over to the treasury.";
}

/** The calls that do what was asked for. A swap of an owner bears a signature, and is not among them. */
async function expectedOf(tx: Database, chain: EvmChain, deployment: SafeDeployment, call: EvmIntent | null): Promise<EvmIntent[]> {
  const { kind, version } = deployment;
  if (kind === "owner_swap" || call === null) return [];
  if (kind !== "safe") return await deploymentsOf(chain, kind, version);
  const creation = await findCreation(tx, chain, deployment, call);
  return creation === null ? [] : [creation];
}

async function deploymentsOf(chain: EvmChain, kind: SafeContract, version: SafeVersion): Promise<EvmIntent[]> {
  const deployers = [null, ...chain.safes.homes(kind, version).map(({ deployer }) => deployer)];
  return await Promise.all(deployers.map((deployer) => chain.safes.deploy(kind, version, deployer)));
}

function isSameCall(left: EvmIntent, right: EvmIntent): boolean {
  const text = ({ to, valueBase, data }: EvmIntent) => `${to} ${valueBase} ${data}`.toLowerCase();
  return text(left) === text(right);
}
