import type { OpenTransaction } from "#db/queries/transfers/transactions.ts";
import type { EvmReceipt } from "#domain/evm-chain.ts";
import { judgeReceipt } from "#domain/transfer-proof.ts";
import type { EvmChain, EvmNode } from "#server/ports.ts";
import { isFinal } from "./is-final.ts";

/**
 * Whether a transaction of ours that succeeded is proven to have moved nothing, so that its transfer may end as failed without a second
 * payment ever being made for one that was. Only of a token's plain payment, and only if all of it is so: it is final, by the chain's own
 * rule; it does not show the payment; the token says nothing at all in it; and neither our wallet nor the recipient held another amount
 * of the token after its block than before it. Whatever cannot be told (a node without old states) proves nothing.
 */
export async function provesNothingMoved(
  chain: EvmChain,
  node: EvmNode,
  { transfer, walletAddress }: OpenTransaction,
  receipt: EvmReceipt,
): Promise<boolean> {
  const token = transfer.tokenAddress;
  if (token === null || transfer.call !== null || !receipt.succeeded) return false;
  if (judgeReceipt(transfer, receipt.logs).type !== "review") return false;
  if (receipt.logs.some(({ address }) => address.toLowerCase() === token.toLowerCase())) return false;
  if (!(await isFinal(chain, node, receipt))) return false;
  for (const holder of [walletAddress, transfer.recipient]) {
    const before = await node.balance(holder, token, receipt.blockHeight - 1);
    if ((await node.balance(holder, token, receipt.blockHeight)) !== before) return false;
  }
  return true;
}
