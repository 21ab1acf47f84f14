import { findLapsingAttempt, type LapsingRow } from "#db/queries/transfers/lapsing-attempts.ts";
import { canonicalOf, type LapsingChain, type LapsingNode } from "#domain/lapsing-chain.ts";
import { expiryOf, type LapsingEnd, paysOwed } from "#domain/lapsing-report.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import type { PaymentEvidence } from "./payment-evidence.ts";

/**
 * What the nodes of a chain whose payments lapse show of an executed payment. It is proven as on EVM chains: two nodes (or the only
 * configured one) show it final, in the booked block, with what is owed, and none shows something else. A node that does not know it any
 * more, or is of another network, says nothing.
 */
export async function readLapsingEvidence(ctx: Uses<"db">, chain: LapsingChain, transfer: Transfer): Promise<PaymentEvidence> {
  const attempt = transfer.txHash === null ? null : await findLapsingAttempt(ctx.db, transfer.txHash);
  if (attempt === null || attempt.transferId !== transfer.id) return { outcome: "unproven" };
  const words = await Promise.all(chain.nodes.map((node) => wordOf(chain, node, { attempt, transfer })));
  const shown = words.filter((word) => typeof word === "object");
  const contradicting = words.filter((word) => word === "contradicts").length;
  const [wanted, [first]] = [Math.min(2, chain.nodes.length), shown];
  if (first === undefined) return { outcome: contradicting > 0 && contradicting >= wanted ? "contradicted" : "unproven" };
  if (contradicting > 0 || shown.length < wanted) return { outcome: "unproven" };
  const { blockHash, height, fee } = first;
  const token = chain.tokens.find(({ address }) => address === fee.token);
  const networkFee = { base: fee.amountBase, currency: token?.currency ?? "", decimals: token?.decimals ?? 0 };
  return { outcome: "proven", receipt: { hash: attempt.id, blockHash, blockHeight: height, logIndex: null, networkFee } };
}

type Booked = { attempt: LapsingRow; transfer: Transfer };

async function wordOf(
  chain: LapsingChain,
  node: LapsingNode,
  { attempt, transfer }: Booked,
): Promise<LapsingEnd | "contradicts" | "silent"> {
  try {
    const report = await node.find({ id: attempt.id, after: attempt.afterHeight, expiry: expiryOf(attempt), bytes: attempt.unsignedBytes });
    if ((await node.identity()) !== chain.identity || report.kind !== "final") return "silent";
    const { tokenAddress, recipient, amountBase } = transfer;
    const owed = {
      token: tokenAddress === null ? null : canonicalOf(chain, tokenAddress),
      recipient: canonicalOf(chain, recipient),
      amountBase,
    };
    return report.outcome === "paid" && report.blockHash === transfer.blockHash && paysOwed(report, owed) ? report : "contradicts";
  } catch (error) {
    if (error instanceof Unreachable || error instanceof Rejected) return "silent";
    throw error;
  }
}
