import { listMemberships } from "#db/queries/transfers/pack-members.ts";
import { findTransaction, type OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { findTransfer } from "#db/queries/transfers/transfers.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Transfer } from "#domain/transfer.ts";
import { judgeReceipt } from "#domain/transfer-proof.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";
import { findDanger } from "#server/services/transfers/find-danger.ts";
import { provesNothingMoved } from "#server/services/transfers/moved-nothing.ts";

/** A node's view of one of our attempts. `moved_nothing`: it is on the chain, and provably did nothing. */
export type AttemptSeen = {
  hash: string;
  kind: "payment" | "cancellation";
  seen: "unknown" | "reverted" | "paid" | "moved_nothing" | "unclear";
};
/** What one node says; null attempts: it does not answer. `nonce`: how many transactions of the wallet it has in blocks. */
export type NodeWord = {
  node: string;
  nonce: number | null;
  attempts: AttemptSeen[] | null;
  /** Why it does not rule out that one of them paid, or still will. */
  danger: string | null;
};
export type Review = {
  transfer: Transfer;
  wallet: string;
  nonce: number;
  nodes: NodeWord[];
  /** The decisions that the chain allows an operator right now. `executed` needs a hash, which is checked when it is given. */
  mayFail: boolean;
};

/** What the chain says right now about a transfer that waits for an operator's decision. @throws Refusal `not_found`, `invalid_state`. */
export async function readReview(ctx: Uses<"db" | "evm">, transferId: string): Promise<Review> {
  const transfer = await findTransfer(ctx.db, transferId);
  const own = transfer && (await findTransaction(ctx.db, transfer.id));
  // How a packed transaction ended is not clear for this payment of it.
  const [member] = own === null && transfer !== null ? await listMemberships(ctx.db, [transfer.id]) : [];
  const transaction = own ?? (member ? await findTransaction(ctx.db, member.packId) : null);
  const chain = transfer && ctx.evm.find(transfer.chain);
  if (!transfer || !transaction || !chain) throw new Refusal("not_found", { detail: "There is no such transfer." });
  if (transfer.state !== "needs_review") throw new Refusal("invalid_state", { detail: `The transfer is ${transfer.state}.` });
  const nodes = await Promise.all(chain.nodes.map((node) => ask(chain, node, { transaction, member: member ? transfer : null })));
  const mayFail = nodes.every(({ attempts, danger }) => attempts !== null && danger === null);
  return { transfer, wallet: transaction.walletAddress, nonce: transaction.nonce, nodes, mayFail };
}

type Asked = { transaction: OpenTransaction; member: Transfer | null };

async function ask(chain: EvmChain, node: EvmNode, { transaction, member }: Asked): Promise<NodeWord> {
  try {
    const attempts: AttemptSeen[] = [];
    for (const { hash, kind } of transaction.attempts) attempts.push({ hash, kind, seen: await look(chain, node, transaction, hash) });
    const nonce = await node.nonce(transaction.walletAddress, "latest");
    return { node: node.name, nonce, attempts, danger: (await findDanger(chain, node, transaction, member))?.detail ?? null };
  } catch (error) {
    if (!(error instanceof Unreachable) && !(error instanceof EvmRejected)) throw error;
    return { node: node.name, nonce: null, attempts: null, danger: null };
  }
}

async function look(chain: EvmChain, node: EvmNode, transaction: OpenTransaction, hash: string): Promise<AttemptSeen["seen"]> {
  const receipt = await node.receipt(hash);
  if (receipt === null) return "unknown";
  if (!receipt.succeeded) return "reverted";
  if (judgeReceipt(transaction.transfer, receipt.logs).type === "execute") return "paid";
  return (await provesNothingMoved(chain, node, transaction, receipt)) ? "moved_nothing" : "unclear";
}
