import { gasLimitFor } from "#domain/evm-fees.ts";
import { intentOf } from "#domain/evm-intent.ts";
import type { Transfer, WaitingKind } from "#domain/transfer.ts";
import type { Pass } from "#server/engines/payments/engine.ts";
import { Unreachable } from "#server/ports.ts";

export type Verdict =
  | { outcome: "passes"; gasLimit: bigint }
  | { outcome: "refused"; reason: string }
  | { outcome: "waits"; kind: WaitingKind; reason: string };

/**
 * Plays the payment before anything is signed. A refusal is a fact only when a second node says the same, where one is configured: one
 * that is silent says nothing. Trouble that is not the payment's own is none.
 */
export async function judgeTransfer(pass: Pass, sender: string, transfer: Transfer): Promise<Verdict> {
  const intent = intentOf(transfer);
  const simulation = await pass.node.simulate(sender, intent);
  if (simulation.outcome === "passes") return { outcome: "passes", gasLimit: gasLimitFor(simulation.gas) };
  if (simulation.outcome === "treasury") return { outcome: "waits", kind: "treasury_funding", reason: simulation.reason };
  const silent = `${simulation.reason} A second node must confirm that, and does not answer.`;
  const unsure: Verdict = { outcome: "waits", kind: "chain_unavailable", reason: silent };
  if (pass.silentNodes > 0) return unsure;
  for (const witness of pass.witnesses) {
    try {
      const second = await witness.simulate(sender, intent);
      if (second.outcome === "refused") continue;
      const reason = `${pass.chain.name}'s nodes disagree on whether the payment can be made.`;
      return { outcome: "waits", kind: "chain_unavailable", reason };
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      return unsure;
    }
  }
  return { outcome: "refused", reason: simulation.reason };
}
