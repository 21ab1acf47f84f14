import type { UnsignedPayment } from "#domain/lapsing-chain.ts";
import type { WaitingKind } from "#domain/transfer.ts";
import type { LapsingPass } from "#server/engines/lapsing/engine.ts";
import { orSilent } from "#server/services/ledger/ask-lapsing-nodes.ts";

/** Why a payment waits. */
export type Why = { kind: WaitingKind; reason: string };

export type Trial = { outcome: "passes" } | { outcome: "refused"; reason: string } | ({ outcome: "waits" } & Why);

/**
 * What every node that answers says of a trial. A payment fails only where all configured nodes refuse it: one that lies makes it wait.
 */
export async function tryOut({ chain, nodes }: LapsingPass, unsigned: UnsignedPayment): Promise<Trial> {
  const trials = (await Promise.all(nodes.map((node) => orSilent(node.simulate(unsigned))))).filter((trial) => trial !== null);
  const reasonOf = (outcome: "refused" | "treasury") => trials.flatMap((trial) => (trial.outcome === outcome ? [trial.reason] : []));
  const [[refusal, ...others], [trouble]] = [reasonOf("refused"), reasonOf("treasury")];
  if (trials.length === 0) return { outcome: "waits", kind: "chain_unavailable", reason: "No node tries it out." };
  if (refusal !== undefined) {
    if (others.length + 1 === chain.nodes.length) return { outcome: "refused", reason: refusal };
    return { outcome: "waits", kind: "chain_unavailable", reason: "The nodes do not agree whether it can be paid." };
  }
  if (trouble !== undefined) return { outcome: "waits", kind: "treasury_funding", reason: trouble };
  return { outcome: "passes" };
}
