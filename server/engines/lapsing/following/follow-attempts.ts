import { type LapsingRow, takeDueLapsing } from "#db/queries/transfers/lapsing-attempts.ts";
import { listMembers } from "#db/queries/transfers/pack-members.ts";
import { restTransfers } from "#db/queries/transfers/transfers.ts";
import { type LapsingChain, type LookUp, owedOn } from "#domain/lapsing-chain.ts";
import { actionOf, expiryOf, judgeReports, type LapsingAttempt, type LapsingWait } from "#domain/lapsing-report.ts";
import type { Transfer, WaitingKind } from "#domain/transfer.ts";
import { inParallel } from "#server/engines/duty.ts";
import { type LapsingPass, processOne } from "#server/engines/lapsing/engine.ts";
import { askNodes } from "#server/services/ledger/ask-lapsing-nodes.ts";
import { applyVerdict, type Followed } from "./apply-verdict.ts";
import { sendAttempt } from "./send-attempt.ts";

/**
 * Asks the nodes about each open attempt whose time has come, and does what follows: it ends, or its bytes go out (again), or it waits.
 *
 * @returns whether there may be more at once
 */
export async function followAttempts(pass: LapsingPass): Promise<boolean> {
  const { ctx, timings } = pass.engine;
  const due = await takeDueLapsing(ctx.db, pass.chain.chain, { limit: timings.batch, againInMs: timings.lookMs });
  const packs = due.flatMap(({ transfer }) => (transfer.purpose === "pack" ? [transfer.id] : []));
  const members = Map.groupBy(await listMembers(ctx.db, packs), ({ packId }) => packId);
  const followed = due.map((open) => ({
    ...open,
    members: open.transfer.purpose === "pack" ? (members.get(open.transfer.id) ?? []) : null,
  }));
  await inParallel(followed.map((open) => processOne(pass, open.transfer.id, () => follow(pass, open))));
  return due.length === timings.batch;
}

async function follow(pass: LapsingPass, open: Followed): Promise<void> {
  const { engine, chain, nodes } = pass;
  const { attempt, transfer } = open;
  const reports = await askNodes(nodes, chain.identity, lookUpOf(attempt));
  engine.step("asked", transfer.id);
  const verdict = judgeReports(attemptOf(chain, open), reports, { configured: chain.nodes.length, toPay: nodesToPay(chain, transfer) });
  if (verdict.next === "wait") {
    const { kind, reason } = WAITS[verdict.for];
    if (verdict.for === "contradiction")
      engine.ctx.log.error(
        { transfer_id: transfer.id, chain: chain.chain, tx_hash: attempt.id, reports },
        "nodes contradict each other about a payment",
      );
    await restTransfers(engine.ctx.db, [transfer.id], { kind, reason, restMs: engine.timings.lookMs });
    return;
  }
  if (verdict.next === "send") return await sendAttempt(pass, open);
  const action = actionOf(attempt.state, verdict);
  if (action !== null) await applyVerdict(pass, open, action, verdict);
}

/** Two from the configured amount on. */
function nodesToPay(chain: LapsingChain, { currency, amountBase }: Transfer): number {
  return amountBase >= chain.twoNodesFrom(currency) ? 2 : 1;
}

function attemptOf(chain: LapsingChain, { attempt, transfer, members }: Followed): LapsingAttempt {
  const owed = (members?.map((member) => member.transfer) ?? [transfer]).map((one) => owedOn(chain, one));
  return { state: attempt.state, after: attempt.afterHeight, expiry: expiryOf(attempt), owed };
}

function lookUpOf(attempt: LapsingRow): LookUp {
  return { id: attempt.id, after: attempt.afterHeight, expiry: expiryOf(attempt), bytes: attempt.unsignedBytes };
}

const WAITS: Record<LapsingWait, { kind: WaitingKind; reason: string }> = {
  lapsing: {
    kind: "chain_unavailable",
    reason: "No block includes it any more; it is signed again once the chain proves that none has.",
  },
  second_node: { kind: "chain_unavailable", reason: "One node alone does not decide it, and the second one does not confirm it yet." },
  silent: { kind: "chain_unavailable", reason: "No node says what became of it." },
  contradiction: { kind: "review", reason: "The nodes contradict each other about it: nothing is signed again before they agree." },
};
