import type { OpenTransaction } from "#db/queries/transfers/transactions.ts";
import type { EvmReceipt } from "#domain/evm-chain.ts";
import { tokenMovesIn } from "#domain/evm-intent.ts";
import { memberEnds } from "#domain/packed-transfers.ts";
import type { Transfer } from "#domain/transfer.ts";
import { judgeReceipt } from "#domain/transfer-proof.ts";
import type { EvmChain, EvmNode } from "#server/ports.ts";
import { isFinal } from "./is-final.ts";

/**
 * Whether a successful transaction of ours provably moved nothing, so that its transfer may end as failed without the risk of a second
 * payment. Only for a plain token payment, and only if all of this is true: it is final by the chain's own rule; it does not show the
 * payment; the token emits no event in it; and the token balances of our wallet and of the recipient are the same before and after its
 * block. Anything unknown (a node without old states) proves nothing.
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

/**
 * Whether a successful packed transaction provably did not pay one of its members: it is final, and the contract says that the token refused
 * it; or the token logged nothing for the recipient, whose balance is the same before and after the block.
 */
export async function provesMemberUnpaid(
  chain: EvmChain,
  node: EvmNode,
  { transaction, member }: { transaction: OpenTransaction; member: Transfer },
  receipt: EvmReceipt,
): Promise<boolean> {
  const end = memberEnds(transaction, receipt.logs).get(member.id);
  const token = member.tokenAddress;
  if (end === undefined || end.outcome === "paid" || token === null || !(await isFinal(chain, node, receipt))) return false;
  if (end.outcome === "refused") return true;
  if (tokenMovesIn(receipt.logs, token).some(({ to }) => to === member.recipient.toLowerCase())) return false;
  const before = await node.balance(member.recipient, token, receipt.blockHeight - 1);
  return (await node.balance(member.recipient, token, receipt.blockHeight)) === before;
}
