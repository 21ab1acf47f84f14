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
import { readLapsingReview } from "./read-lapsing-review.ts";
import type { AttemptSeen, NodeWord, Review } from "./review.ts";

export type { Review } from "./review.ts";

/** What the chain says right now about a transfer that waits for an operator's decision. @throws Refusal `not_found`, `invalid_state`. */
export async function readReview(ctx: Uses<"db" | "evm" | "lapsing">, transferId: string): Promise<Review> {
  const transfer = await findTransfer(ctx.db, transferId);
  const lapsing = transfer && ctx.lapsing.find(transfer.chain);
  if (transfer !== null && lapsing !== null) {
    refuseUnlessReviewed(transfer);
    return await readLapsingReview(ctx, lapsing, transfer);
  }
  const own = transfer && (await findTransaction(ctx.db, transfer.id));
  // How a packed transaction ended is not clear for this payment of it.
  const [member] = own === null && transfer !== null ? await listMemberships(ctx.db, [transfer.id]) : [];
  const transaction = own ?? (member ? await findTransaction(ctx.db, member.packId) : null);
  const chain = transfer && ctx.evm.find(transfer.chain);
  if (!transfer || !transaction || !chain) throw new Refusal("not_found", { detail: "There is no such transfer." });
  refuseUnlessReviewed(transfer);
  const nodes = await Promise.all(chain.nodes.map((node) => ask(chain, node, { transaction, member: member ? transfer : null })));
  const mayFail = nodes.every(({ attempts, danger }) => attempts !== null && danger === null);
  return { transfer, wallet: transaction.walletAddress, nonce: transaction.nonce, nodes, mayFail };
}

function refuseUnlessReviewed({ state }: Transfer): void {
  if (state !== "needs_review") throw new Refusal("invalid_state", { detail: `The transfer is ${state}.` });
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
