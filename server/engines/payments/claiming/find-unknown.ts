import { listSequences } from "#db/queries/transfers/wallets.ts";
import type { Pass, Unknown } from "#server/engines/payments/engine.ts";
import { type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";

type Asked = Pick<Pass, "engine" | "chain" | "node" | "witnesses">;

/**
 * The wallets of the chain, whichever worker holds them, that have transactions which the database does not know: in blocks, or waiting in
 * a node's pool. By the id of the wallet. The nodes are asked before the database, and bytes are stored before they are sent, so that what
 * another worker signs at this moment is no unknown transaction. A witness that is silent says nothing.
 *
 * @throws Unreachable when the node that speaks is silent
 */
export async function findUnknown(pass: Asked): Promise<ReadonlyMap<string, Unknown>> {
  const { db } = pass.engine.ctx;
  const { chain } = pass.chain;
  const addresses = (await listSequences(db, chain)).map(({ address }) => address);
  const counts = new Map(await Promise.all(addresses.map(async (address) => [address, await countAt(pass, address)] as const)));
  const found = new Map<string, Unknown>();
  for (const { id, address, nextNonce } of await listSequences(db, chain)) {
    const counted = counts.get(address);
    if (counted === undefined || nextNonce === null) continue;
    if (Math.max(counted.firstCount, ...counted.witnessed) > nextNonce) found.set(id, { address, nextNonce, ...counted });
  }
  return found;
}

async function countAt(pass: Asked, address: string): Promise<Pick<Unknown, "firstCount" | "witnessed">> {
  const [firstCount, ...witnessed] = await Promise.all([
    countUsed(pass.node, address),
    ...pass.witnesses.map(async (witness) => {
      try {
        return [await countUsed(witness, address)];
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        return [];
      }
    }),
  ]);
  return { firstCount, witnessed: witnessed.flat() };
}

/**
 * How many of a wallet's transactions are in blocks, or wait in the pool behind them without a gap, by a node's word. A node that shows no
 * pool gives the blocks' count.
 */
export async function countUsed(node: EvmNode, address: string): Promise<number> {
  try {
    return await node.nonce(address, "pending");
  } catch (error) {
    if (!(error instanceof EvmRejected)) throw error;
    return await node.nonce(address, "latest");
  }
}
