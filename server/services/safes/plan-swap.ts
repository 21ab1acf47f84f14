import type { Database } from "#db/client.ts";
import { lockSafeDeployment } from "#db/queries/safes/safe-deployments.ts";
import { saveSafeOwners } from "#db/queries/safes/safe-owners.ts";
import { isControlledBy } from "#domain/safe.ts";
import type { SafeDeployment } from "#domain/safe-deployment.ts";
import { SignerAway } from "#domain/signer.ts";
import type { TransferCall } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, Rejected } from "#server/ports.ts";
import { failDeployment } from "./complete-deployment.ts";
import { chooseOwner } from "./own-wallet.ts";
import { askChain } from "./read-own-safe.ts";

type SwapPlan = { call: TransferCall; owners: string[]; address: string; owner: string };
/** Nothing to swap: why, and the Safe's owners where known. */
export type SwapOver = { over: string; owners: string[] | null };

/**
 * Replaces a wallet as the owner of a Safe by one that signs. The replaced wallet signs the Safe's transaction, under the Safe's own nonce,
 * and any wallet sends it. So neither a halt nor unknown transactions of the replaced wallet block it; only a lost key does.
 *
 * @throws Unreachable
 */
export async function planSwap(
  ctx: Uses<"db" | "signers">,
  chain: EvmChain,
  { id, owners, address }: Pick<SafeDeployment, "id" | "owners" | "address">,
): Promise<SwapPlan | SwapOver | { waiting: string }> {
  const [from] = owners ?? [];
  if (from === undefined || address === null) throw new Error("a swap that was asked for names no owner or no Safe");
  const safe = await askChain(chain, (node) => node.safe(address));
  if (safe === null) return { over: "There is no Safe at this address.", owners: null };
  if (!safe.owners.some((owner) => owner.toLowerCase() === from.toLowerCase()))
    return { over: `The Safe does not belong to ${from} any more.`, owners: [...safe.owners] };
  if (!isControlledBy(safe, from))
    return { over: "The Safe needs more than one owner's signature: its owners must swap the owner manually.", owners: null };
  const signer = await findSigner(ctx, chain, from);
  if (signer === null) return { waiting: `Wallet ${from} has to sign the swap itself, and its key is not configured here.` };
  if (!signer.signsSafes)
    return { waiting: `The signer of wallet ${from} (${signer.kind}) signs no Safe transactions: swap the owner manually.` };
  const chosen = await chooseOwner(ctx, chain, safe.owners);
  if ("waiting" in chosen) return chosen;
  try {
    const { transaction, signature } = await ctx.signers.signSwap({ chain: chain.chain, deploymentId: id, safe, to: chosen.owner });
    const call = await chain.safes.executeSigned(transaction, signature);
    return { call, owners: [from, chosen.owner], address, owner: chosen.owner };
  } catch (error) {
    if (error instanceof SignerAway) return { waiting: error.message };
    if (error instanceof Rejected) return { waiting: `The signer of wallet ${from} refuses to sign the swap.` };
    throw error;
  }
}

async function findSigner(ctx: Uses<"signers">, chain: EvmChain, address: string) {
  for (const signer of ctx.signers.of(chain.chain)) {
    const own = await signer.address().catch(() => null);
    if (own?.toLowerCase() === address.toLowerCase()) return signer;
  }
  return null;
}

/** Ends a swap that has become unnecessary, and records the Safe's owners. */
export async function abandonSwap(tx: Database, { id }: SafeDeployment, { over, owners }: SwapOver): Promise<void> {
  const held = await lockSafeDeployment(tx, id);
  if (held?.state !== "asked") return;
  await failDeployment(tx, held, over);
  const [before] = held.owners ?? [];
  if (owners !== null && before !== undefined && held.address !== null)
    await saveSafeOwners(tx, { chain: held.chain, address: held.address, before, owners });
}
