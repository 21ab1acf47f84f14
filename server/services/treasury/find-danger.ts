import type { OpenTransaction } from "#db/queries/transfers/transactions.ts";
import type { EvmChain, EvmNode } from "#server/ports.ts";
import { finalHeight, isFinal } from "#server/services/transfers/is-final.ts";
import { provesNothingMoved } from "#server/services/transfers/moved-nothing.ts";

/**
 * Why this node does not rule out that one of our attempts paid, or still will: its nonce is not finally spent, or its final
 * transaction may have moved something. Null when the node rules it out.
 */
export async function findDanger(chain: EvmChain, node: EvmNode, transaction: OpenTransaction): Promise<string | null> {
  const height = await finalHeight(chain, node);
  if (height === null || height < 0 || (await node.nonce(transaction.walletAddress, height)) <= transaction.nonce)
    return `Nonce ${transaction.nonce} of ${transaction.walletAddress} is not finally spent, according to ${node.name}: what was signed may still be mined.`;
  for (const { hash, kind } of transaction.attempts) {
    const receipt = kind === "payment" ? await node.receipt(hash) : null;
    if (receipt === null) continue;
    if (receipt.succeeded ? await provesNothingMoved(chain, node, transaction, receipt) : await isFinal(chain, node, receipt)) continue;
    return `${hash} is on the chain, and ${node.name} does not prove that it moved nothing.`;
  }
  return null;
}
