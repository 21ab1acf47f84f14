import type { Database } from "#db/client.ts";
import { findPayment } from "#db/queries/settlements/settlement-story.ts";
import { listMemberships } from "#db/queries/transfers/pack-members.ts";
import { findTransferProof } from "#db/queries/transfers/transfer-proofs.ts";
import type { EvmReceipt } from "#domain/evm-chain.ts";
import { findPayments } from "#domain/evm-intent.ts";
import { isId } from "#domain/ids.ts";
import { shareOf } from "#domain/packed-transfers.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Transfer } from "#domain/transfer.ts";
import { judgeReceipt } from "#domain/transfer-proof.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";
import { isFinal } from "#server/services/transfers/is-final.ts";
import { readRows } from "./browse-settlements.ts";
import type { PaymentEvidence, PaymentReceipt } from "./payment-evidence.ts";
import { readLapsingEvidence } from "./read-lapsing-evidence.ts";

/** As {@link readPaymentEvidence}: the receipt where it is proven, else null. */
export async function readPaymentReceipt(
  ctx: Uses<"db" | "evm" | "lapsing">,
  query: { id: string; partnerId?: string },
): Promise<PaymentReceipt | null> {
  const evidence = await readPaymentEvidence(ctx, query);
  return evidence.outcome === "proven" ? evidence.receipt : null;
}

/**
 * Asks every node of the chain about a settlement's payment. It is proven when no node contradicts it, and two nodes (or the only
 * configured one) show it: successful, with the token's event, final, and in exactly the booked block. Of a packed transaction, and of a
 * transaction that proved it, only its own event counts. The same number contradicts it.
 *
 * @throws Refusal `settlement_not_found`, for a foreign id just as for one that never existed.
 */
export async function readPaymentEvidence(
  ctx: Uses<"db" | "evm" | "lapsing">,
  query: { id: string; partnerId?: string },
): Promise<PaymentEvidence> {
  const { id, ...tenant } = query;
  const [found] = isId("settlement", id) ? await readRows(ctx, { ids: [id], ...tenant }) : [];
  if (found === undefined) throw new Refusal("settlement_not_found");
  const payment = await findPayment(ctx.db, "settlement", id);
  if (payment?.transfer.state !== "executed") return { outcome: "unproven" };
  const { transfer, isOrphaned, packedWith } = payment;
  const lapsing = ctx.lapsing.find(found.settlement.chain);
  if (lapsing !== null) return await readLapsingEvidence(ctx, lapsing, transfer);
  const chain = ctx.evm.find(found.settlement.chain);
  if (chain === null) return { outcome: "unproven" };
  if (isOrphaned) return { outcome: "contradicted" };
  const own = await ownPlace(ctx.db, transfer.id);
  const words = await Promise.all(chain.nodes.map((node) => wordOf(chain, node, transfer, own)));
  const shown = words.filter((word) => typeof word === "object");
  const contradicting = words.filter((word) => word === "contradicts").length;
  const [wanted, [first]] = [Math.min(2, chain.nodes.length), shown];
  if (first === undefined) return { outcome: contradicting > 0 && contradicting >= wanted ? "contradicted" : "unproven" };
  if (contradicting > 0 || shown.length < wanted) return { outcome: "unproven" };
  const { hash, blockHash, blockHeight, logs, feeBase } = first;
  const place = own ?? findPayments(logs, transfer)[0] ?? -1;
  const networkFee = { base: shareOf(feeBase, packedWith ?? 1), ...chain.native };
  return { outcome: "proven", receipt: { hash, blockHash, blockHeight, logIndex: logs[place]?.index ?? null, networkFee } };
}

/** Which of the transaction's own logs is this payment, where it makes several; null: it makes one. */
async function ownPlace(db: Database, transferId: string): Promise<number | null> {
  const proof = await findTransferProof(db, transferId);
  const [member] = await listMemberships(db, [transferId]);
  return proof?.logIndex ?? member?.logIndex ?? null;
}

async function wordOf(
  chain: EvmChain,
  node: EvmNode,
  transfer: Transfer,
  own: number | null,
): Promise<EvmReceipt | "contradicts" | "silent"> {
  try {
    const receipt = transfer.txHash === null ? null : await node.receipt(transfer.txHash);
    if (receipt === null) return "silent";
    const isAsBooked = receipt.succeeded && receipt.blockHash === transfer.blockHash;
    if (!isAsBooked || judgeReceipt(transfer, receipt.logs).type !== "execute") return "contradicts";
    if (own !== null && !findPayments(receipt.logs, transfer).includes(own)) return "contradicts";
    return (await isFinal(chain, node, receipt)) ? receipt : "silent";
  } catch (error) {
    if (error instanceof Unreachable || error instanceof EvmRejected) return "silent";
    throw error;
  }
}
