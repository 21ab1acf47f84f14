import { findLapsingAttempt, type LapsingRow } from "#db/queries/transfers/lapsing-attempts.ts";
import { listMembers, listMemberships } from "#db/queries/transfers/pack-members.ts";
import { type LapsingChain, type LapsingNode, owedOn } from "#domain/lapsing-chain.ts";
import { expiryOf, type LapsingEnd, paysOwed } from "#domain/lapsing-report.ts";
import { shareOf } from "#domain/packed-transfers.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import type { PaymentEvidence } from "./payment-evidence.ts";

/**
 * What the nodes of a chain whose payments lapse show of an executed payment. It is proven as on EVM chains: two nodes (or the only
 * configured one) show it final, in the booked block, with what is owed, and none shows something else. A node that does not know it any
 * more, or is of another network, says nothing. Of a transaction that makes several payments, only what is this payment's counts.
 */
export async function readLapsingEvidence(ctx: Uses<"db">, chain: LapsingChain, transfer: Transfer): Promise<PaymentEvidence> {
  const attempt = transfer.txHash === null ? null : await findLapsingAttempt(ctx.db, transfer.txHash);
  const [member] = await listMemberships(ctx.db, [transfer.id]);
  const isPacked = member?.outcome === "paid" && member.packId === attempt?.transferId;
  if (attempt === null || (attempt.transferId !== transfer.id && !isPacked)) return { outcome: "unproven" };
  const words = await Promise.all(chain.nodes.map((node) => wordOf(chain, node, { attempt, transfer })));
  const shown = words.filter((word) => typeof word === "object");
  const contradicting = words.filter((word) => word === "contradicts").length;
  const [wanted, [first]] = [Math.min(2, chain.nodes.length), shown];
  if (first === undefined) return { outcome: contradicting > 0 && contradicting >= wanted ? "contradicted" : "unproven" };
  if (contradicting > 0 || shown.length < wanted) return { outcome: "unproven" };
  const { blockHash, height, fee } = first;
  const count = isPacked ? (await listMembers(ctx.db, [attempt.transferId])).length : 1;
  const token = chain.tokens.find(({ address }) => address === fee.token);
  const networkFee = { base: shareOf(fee.amountBase, count), currency: token?.currency ?? "", decimals: token?.decimals ?? 0 };
  return {
    outcome: "proven",
    receipt: { hash: attempt.id, blockHash, blockHeight: height, logIndex: isPacked ? member.logIndex : null, networkFee },
  };
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
    return report.outcome === "paid" && report.blockHash === transfer.blockHash && paysOwed(report, [owedOn(chain, transfer)])
      ? report
      : "contradicts";
  } catch (error) {
    if (error instanceof Unreachable || error instanceof Rejected) return "silent";
    throw error;
  }
}
