import { listSigningWallets } from "#db/queries/transfers/wallets.ts";
import type { Uses } from "#server/context.ts";
import type { EvmChain } from "#server/ports.ts";

/**
 * The first of this process's wallets on a chain that can sign right now. It becomes the only owner of a Safe, and will sweep it. A halted
 * or retiring wallet gets no Safe, because anyone with its key would control the Safe. `but`: excludes addresses that own it already.
 */
export async function chooseOwner(
  ctx: Uses<"db" | "signers">,
  chain: EvmChain,
  but: readonly string[] = [],
): Promise<{ owner: string } | { waiting: string }> {
  const signing = await listSigningWallets(ctx.db, chain.chain);
  const taken = but.map((address) => address.toLowerCase());
  let opened = 0;
  for (const signer of ctx.signers.of(chain.chain)) {
    const address = await signer.address().catch(() => null);
    if (address === null) continue;
    opened += 1;
    if (signing.includes(address) && !taken.includes(address.toLowerCase())) return { owner: address };
  }
  return {
    waiting:
      opened === 0 ? "No treasury wallet's signer can be opened." : "No treasury wallet that may own the Safe is active and in order.",
  };
}
