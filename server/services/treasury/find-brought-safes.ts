import { listUnasked, saveBroughtSafe } from "#db/queries/safes/brought-safes.ts";
import { listWalletAddresses } from "#db/queries/transfers/wallets.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, type EvmNode, EvmRejected, Rejected, Unreachable } from "#server/ports.ts";
import { readOwnSafe } from "#server/services/safes/read-own-safe.ts";

/** Wallets in one pass. */
const AT_ONCE = 20;

/**
 * Asks about wallets that members brought whether they are Safes that nobody but our wallets can move: what leaves such a Safe is ours to explain.
 * A Safe with another owner or a module is not: its member may move it without us. One node that says so is enough.
 */
export async function findBroughtSafes(ctx: Uses<"db">, chain: EvmChain): Promise<void> {
  const wallets = new Set((await listWalletAddresses(ctx.db, chain.chain)).map((wallet) => wallet.toLowerCase()));
  if (wallets.size === 0) return;
  for (const address of await listUnasked(ctx.db, chain.chain, AT_ONCE)) {
    const answers: (boolean | null)[] = [];
    for (const node of chain.nodes) answers.push(await isOurs(ctx, { chain, node, wallets }, address));
    const known = answers.filter((answer) => answer !== null);
    if (known.length === 0) return;
    await saveBroughtSafe(ctx.db, { chain: chain.chain, address, isOurs: known.includes(true) });
  }
}

type Asked = { chain: EvmChain; node: EvmNode; wallets: ReadonlySet<string> };

/** According to one node; null where it does not answer. */
async function isOurs({ db }: Uses<"db">, { chain, node, wallets }: Asked, address: string): Promise<boolean | null> {
  const one = { ...chain, nodes: [node] };
  try {
    const { safe } = await readOwnSafe({ db, evm: { list: () => [one], find: () => one } }, { chain: chain.chain, safeAddress: address });
    return safe.modules.length === 0 && safe.owners.every((owner) => wallets.has(owner.toLowerCase()));
  } catch (error) {
    if (error instanceof Unreachable || error instanceof EvmRejected) return null;
    if (error instanceof Rejected) return false;
    throw error;
  }
}
