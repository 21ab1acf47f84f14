import { findPayment } from "#db/queries/settlements/settlement-story.ts";
import { showsPayment } from "#domain/evm-intent.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { readRows } from "./browse-settlements.ts";

/** What the chain itself says of a payment: where in its block it stands, and what sending it cost us. */
export type PaymentReceipt = {
  hash: string;
  blockHash: string;
  blockHeight: number;
  /** The place of the transfer's log in its block; null: the payment is of the native coin, which logs nothing. */
  logIndex: number | null;
  networkFee: { base: bigint; currency: string; decimals: number };
};

/**
 * Asks the chain for the receipt of a settlement's payment, from the first node that has it. Null: nothing of it is in a block yet, or no
 * node could tell. @throws Refusal `settlement_not_found`, for a foreign id just as for one that never was.
 */
export async function readPaymentReceipt(
  ctx: Uses<"db" | "evm">,
  query: { id: string; partnerId?: string },
): Promise<PaymentReceipt | null> {
  const { id, ...tenant } = query;
  const [found] = isId("settlement", id) ? await readRows(ctx, { ids: [id], ...tenant }) : [];
  if (found === undefined) throw new Refusal("settlement_not_found");
  const payment = await findPayment(ctx.db, "settlement", id);
  const hash = payment?.transfer.txHash ?? null;
  const chain = ctx.evm.find(found.settlement.chain);
  if (payment === null || hash === null || chain === null) return null;
  for (const node of chain.nodes) {
    const receipt = await node.receipt(hash).catch(() => null);
    if (receipt === null) continue;
    const { blockHash, blockHeight, logs, feeBase } = receipt;
    const log = logs.find((each) => showsPayment([each], payment.transfer));
    return { hash, blockHash, blockHeight, logIndex: log?.index ?? null, networkFee: { base: feeBase, ...chain.native } };
  }
  return null;
}
