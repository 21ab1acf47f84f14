import type { OpenTransaction } from "#db/queries/transfers/transactions.ts";
import type { EvmBlock, EvmReceipt } from "#domain/evm-chain.ts";
import { memberEnds } from "#domain/packed-transfers.ts";
import type { Transfer, TransferAction } from "#domain/transfer.ts";
import { judgeReceipt } from "#domain/transfer-proof.ts";
import type { Pass } from "#server/engines/payments/engine.ts";
import { type EvmNode, Unreachable } from "#server/ports.ts";

/** What the other nodes say of a block that the first one calls final. One that is silent or behind says nothing. */
export type Confirmation = { agreed: readonly EvmNode[]; contradicted: boolean };

/** Asks every witness whether the block is final for it, too. */
export async function confirmWithOtherNodes(pass: Pass, block: EvmBlock): Promise<Confirmation> {
  const words = await Promise.all(pass.witnesses.map((witness) => wordOf(pass, witness, block)));
  return {
    agreed: pass.witnesses.filter((_, index) => words[index] === "agrees"),
    contradicted: words.includes("contradicts"),
  };
}

async function wordOf({ chain }: Pass, witness: EvmNode, block: EvmBlock): Promise<"agrees" | "contradicts" | "silent"> {
  try {
    const [own, top] = await Promise.all([witness.block(block.height), witness.block(chain.useFinalizedTag ? "finalized" : "latest")]);
    if (own === null) return "silent";
    if (own.hash !== block.hash) return "contradicts";
    const depth = chain.useFinalizedTag ? 0 : chain.confirmations - 1;
    return top !== null && top.height >= block.height + depth ? "agrees" : "silent";
  } catch (error) {
    if (error instanceof Unreachable) return "silent";
    throw error;
  }
}

/**
 * Why one node's word does not yet end a transfer; null when it may. Where a second node is configured, one that contradicts is
 * always heard; a large payment, and whatever says that a payment was not made, wants one that agrees.
 */
export async function doubtOf(
  { chain }: Pass,
  transaction: OpenTransaction,
  action: TransferAction,
  receipt: EvmReceipt,
  { agreed, contradicted }: Confirmation,
): Promise<string | null> {
  if (chain.nodes.length === 1) return null;
  const { transfer, attempts } = transaction;
  const disagreement = `${chain.name}'s nodes disagree on what became of the payment.`;
  if (contradicted) return disagreement;
  const [second] = agreed;
  if (second === undefined) {
    const isPaid = action.type === "execute" && endsOf(transaction, receipt).every(([, { outcome }]) => outcome === "paid");
    return isPaid && !isLarge(chain.twoNodesFrom, transfer)
      ? null
      : "A second node must confirm what became of the payment, and none does yet.";
  }
  const word = await second.receipt(receipt.hash);
  // The fee is booked as the receipt says.
  const isSame = word?.blockHash === receipt.blockHash && word.succeeded === receipt.succeeded && word.feeBase === receipt.feeBase;
  const kind = attempts.find(({ hash }) => hash === receipt.hash)?.kind;
  if (!isSame || (kind === "payment" && word.succeeded && judgeReceipt(transfer, word.logs).type !== action.type)) return disagreement;
  return JSON.stringify(endsOf(transaction, word)) === JSON.stringify(endsOf(transaction, receipt)) ? null : disagreement;
}

/** How each payment of a packed transaction ended; none where it paid nobody. */
function endsOf(transaction: OpenTransaction, { hash, succeeded, logs }: EvmReceipt) {
  const isPayment = transaction.attempts.some((attempt) => attempt.hash === hash && attempt.kind === "payment");
  return isPayment && succeeded ? [...memberEnds(transaction, logs)] : [];
}

function isLarge(twoNodesFrom: (currency: string) => bigint, { currency, amountBase }: Transfer): boolean {
  return amountBase >= twoNodesFrom(currency);
}
