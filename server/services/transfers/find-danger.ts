import type { OpenTransaction } from "#db/queries/transfers/transactions.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { EvmChain, EvmNode } from "#server/ports.ts";
import { finalHeight, isFinal } from "./is-final.ts";
import { provesMemberUnpaid, provesNothingMoved } from "./moved-nothing.ts";

/** `paidIn`: the final block in which one of our attempts succeeded. Null: the chain has not decided yet. */
export type Danger = { detail: string; paidIn: { height: number; hash: string } | null };

/**
 * Why this node does not rule out that one of our attempts paid, or still will: its nonce is not finally spent, or its final
 * transaction may have moved something. Null when the node rules it out. `member`: whether it paid this one of a packed transaction.
 */
export async function findDanger(
  chain: EvmChain,
  node: EvmNode,
  transaction: OpenTransaction,
  member: Transfer | null = null,
): Promise<Danger | null> {
  const height = await finalHeight(chain, node);
  if (height === null || height < 0 || (await node.nonce(transaction.walletAddress, height)) <= transaction.nonce)
    return {
      detail: `Nonce ${transaction.nonce} of ${transaction.walletAddress} is not finally spent, according to ${node.name}: what was signed may still be mined.`,
      paidIn: null,
    };
  for (const { hash, kind } of transaction.attempts) {
    const receipt = kind === "payment" ? await node.receipt(hash) : null;
    if (receipt === null) continue;
    const proves = () =>
      member === null
        ? provesNothingMoved(chain, node, transaction, receipt)
        : provesMemberUnpaid(chain, node, { transaction, member }, receipt);
    if (receipt.succeeded ? await proves() : await isFinal(chain, node, receipt)) continue;
    return {
      detail: `${hash} is on the chain, and ${node.name} does not prove that it moved nothing.`,
      paidIn: receipt.succeeded && (await isFinal(chain, node, receipt)) ? { height: receipt.blockHeight, hash: receipt.blockHash } : null,
    };
  }
  return null;
}
