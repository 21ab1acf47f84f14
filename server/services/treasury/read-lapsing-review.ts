import { hasLapsingAttemptThatMayPay, type LapsingRow, listLapsingOf } from "#db/queries/transfers/lapsing-attempts.ts";
import { canonicalOf, type LapsingChain, type LapsingNode } from "#domain/lapsing-chain.ts";
import { expiryOf, type LapsingReport } from "#domain/lapsing-report.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import { Rejected } from "#server/ports.ts";
import { orSilent } from "#server/services/ledger/ask-lapsing-nodes.ts";
import type { AttemptSeen, NodeWord, Review } from "./review.ts";

/** What every node of a chain whose payments lapse says right now about the attempts of a payment under review. */
export async function readLapsingReview(ctx: Uses<"db">, chain: LapsingChain, transfer: Transfer): Promise<Review> {
  const attempts = await listLapsingOf(ctx.db, transfer.id);
  const nodes = await Promise.all(chain.nodes.map((node) => ask(chain, node, { transfer, attempts })));
  const mayFail = !(await hasLapsingAttemptThatMayPay(ctx.db, transfer.id));
  return { transfer, wallet: attempts.at(-1)?.walletAddress ?? "", nonce: null, nodes, mayFail };
}

type Asked = { transfer: Transfer; attempts: readonly LapsingRow[] };

async function ask(chain: LapsingChain, node: LapsingNode, { transfer, attempts }: Asked): Promise<NodeWord> {
  const silent = { node: node.name, nonce: null, attempts: null, danger: null };
  try {
    if ((await orSilent(node.identity())) !== chain.identity) return silent;
    const seen: AttemptSeen[] = [];
    for (const { id, afterHeight: after, unsignedBytes: bytes, ...attempt } of attempts) {
      const report = await orSilent(node.find({ id, after, bytes, expiry: expiryOf(attempt) }));
      if (report === null) return silent;
      seen.push({ hash: id, kind: "payment", seen: wordFor(chain, transfer, report) });
    }
    return { ...silent, attempts: seen };
  } catch (error) {
    if (error instanceof Rejected) return silent;
    throw error;
  }
}

function wordFor(
  chain: LapsingChain,
  { recipient, tokenAddress: token, amountBase }: Transfer,
  report: LapsingReport,
): AttemptSeen["seen"] {
  if (report.kind === "absent") return "unknown";
  if (report.kind === "seen") return "unclear";
  if (report.outcome === "failed") return "reverted";
  const isSame = (left: string, right: string) => canonicalOf(chain, left) === canonicalOf(chain, right);
  const isOwed = report.moves.some((move) => move.token === token && move.amountBase === amountBase && isSame(move.recipient, recipient));
  return isOwed ? "paid" : "unclear";
}
