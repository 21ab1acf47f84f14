import { readClockOffset } from "#db/queries/maintenance/clock.ts";
import { findTransaction } from "#db/queries/transfers/transactions.ts";
import type { EvmBlock, EvmReceipt } from "#domain/evm-chain.ts";
import { findPayments } from "#domain/evm-intent.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Transfer } from "#domain/transfer.ts";
import { judgeReceipt } from "#domain/transfer-proof.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";
import { isFinal } from "#server/services/transfers/is-final.ts";

/** A final transaction in which a transfer's payment can be seen. Whether it has proved another one, `bookProof` decides. */
export type FoundPayment = {
  chain: { chain: string; native: { currency: string; decimals: number } };
  receipt: Pick<EvmReceipt, "hash" | "blockHash" | "blockHeight" | "gasUsed" | "feeBase" | "sender">;
  blockAt: Date;
  /** The token event's index among the transaction's own logs; a single null where the transaction itself is the payment. */
  places: readonly (number | null)[];
};

/** A block's time comes from its maker, who may have begun it a while before a payment reached it. */
export const BLOCK_SLACK_MS = 15_000;

/**
 * Looks for a transfer's payment in a transaction that somebody names. Every node must show it: final by the chain's own rule,
 * successful, no older than the transfer, and one of the transfer's own attempts or (a token's payment) any other in which the token
 * says that it moved this amount to this recipient. `isOurs`: one of our wallets is known to have made it, with the transfer's own content.
 *
 * @throws Refusal `invalid_state` when a node shows something else, `temporarily_unavailable` while one does not answer
 */
export async function findPayment(
  ctx: Uses<"db" | "evm">,
  transfer: Transfer,
  txHash: string,
  { isOurs = false }: { isOurs?: boolean } = {},
): Promise<FoundPayment> {
  const chain = ctx.evm.find(transfer.chain);
  if (chain === null) throw new Refusal("invalid_state", { detail: `${transfer.chain} is no longer configured.` });
  const hash = txHash.toLowerCase();
  const own =
    isOurs || (await findTransaction(ctx.db, transfer.id))?.attempts.some((attempt) => attempt.hash === hash && attempt.kind === "payment");
  const notBefore = transfer.createdAt.getTime() - (await readClockOffset(ctx.db)).offsetMs - BLOCK_SLACK_MS;
  let found: FoundPayment | null = null;
  for (const node of chain.nodes) {
    const { receipt, block } = await asking(() => readFinal(chain, node, hash));
    const places = placesOf(transfer, receipt, own === true);
    if (places.length === 0) throw new Refusal("invalid_state", { detail: `${node.name} does not show the payment in that transaction.` });
    if (block.at.getTime() < notBefore) {
      throw new Refusal("invalid_state", { detail: "That transaction is older than the transfer, so it paid something else." });
    }
    found ??= { chain, receipt, blockAt: block.at, places };
  }
  if (found === null) throw new Error(`${chain.chain} has no node`);
  return found;
}

/** Whatever a node that does not answer could have said, nothing is decided without it. @throws Refusal `temporarily_unavailable` */
export async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Unreachable) && !(error instanceof EvmRejected)) throw error;
    throw new Refusal("temporarily_unavailable", { detail: "A node of the chain does not answer.", retryAfterSeconds: 10, cause: error });
  }
}

async function readFinal(chain: EvmChain, node: EvmNode, hash: string): Promise<{ receipt: EvmReceipt; block: EvmBlock }> {
  const receipt = await node.receipt(hash);
  const block = receipt?.succeeded ? await node.block(receipt.blockHeight) : null;
  if (!receipt || !block || !(await isFinal(chain, node, receipt)))
    throw new Refusal("invalid_state", { detail: `${node.name} shows no final and successful transaction with that hash.` });
  return { receipt, block };
}

/** The position of the payment. A contract call or native coin payment can only be our own attempt: no log describes it. */
function placesOf(transfer: Transfer, receipt: EvmReceipt, own: boolean): (number | null)[] {
  if (judgeReceipt(transfer, receipt.logs).type !== "execute") return [];
  if (transfer.tokenAddress !== null && transfer.call === null) return findPayments(receipt.logs, transfer);
  return own ? [null] : [];
}
