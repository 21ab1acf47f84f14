import { intentOf } from "#server/domain/evm-intent.ts";
import type { Transfer, WaitingKind } from "#server/domain/transfer.ts";
import { Unreachable } from "#server/ports.ts";
import type { Round } from "./engine.ts";

export type Verdict =
  | { outcome: "passes"; gasLimit: bigint }
  | { outcome: "refused"; reason: string }
  | { outcome: "waits"; kind: WaitingKind; reason: string };

/**
 * Plays the payment before anything is signed. A refusal is a fact only when no other node contradicts it; trouble of the
 * treasury's own is none.
 */
export async function judgeTransfer(round: Round, sender: string, transfer: Transfer): Promise<Verdict> {
  const intent = intentOf(transfer);
  const simulation = await round.node.simulate(sender, intent);
  // A fifth more than was needed: the state may be another by the time it is mined.
  if (simulation.outcome === "passes") return { outcome: "passes", gasLimit: (simulation.gas * 6n) / 5n };
  if (simulation.outcome === "treasury") return { outcome: "waits", kind: "treasury_funding", reason: simulation.reason };
  for (const witness of round.witnesses) {
    try {
      const second = await witness.simulate(sender, intent);
      if (second.outcome === "refused") continue;
      const reason = `${round.chain.name}'s nodes disagree on whether the payment can be made.`;
      return { outcome: "waits", kind: "chain_unavailable", reason };
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
  }
  return { outcome: "refused", reason: simulation.reason };
}
