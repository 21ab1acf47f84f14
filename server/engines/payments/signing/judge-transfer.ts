import { gasLimitFor } from "#domain/evm-fees.ts";
import { intentOf } from "#domain/evm-intent.ts";
import type { Transfer, WaitingKind } from "#domain/transfer.ts";
import { momentOf, type Pass } from "#server/engines/payments/engine.ts";
import { Unreachable } from "#server/ports.ts";

export type Verdict =
  /** `gas`: what it is estimated to use. */
  | { outcome: "passes"; gas: bigint; gasLimit: bigint }
  | { outcome: "refused"; reason: string }
  | { outcome: "waits"; kind: WaitingKind; reason: string; isBrief?: boolean };

/**
 * Simulates the payment before anything is signed. Where a second node is configured, it must confirm a refusal. A single node must
 * repeat a refusal at three heads: one wrong answer fails no guaranteed payment. Trouble that is not the payment's own is no refusal.
 */
export async function judgeTransfer(pass: Pass, sender: string, transfer: Transfer): Promise<Verdict> {
  const { refusals } = pass.engine.memory;
  const intent = intentOf(transfer);
  const simulation = await pass.node.simulate(sender, intent);
  if (simulation.outcome !== "refused") refusals.forget(transfer.id);
  if (simulation.outcome === "passes") return { outcome: "passes", gas: simulation.gas, gasLimit: gasLimitFor(simulation.gas) };
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
  const isConfirmed = pass.witnesses.length > 0;
  const isCertain = isConfirmed || refusals.repeated(transfer.id, { what: "refused", count: 1 }, momentOf(pass)) !== null;
  const repeat = `${simulation.reason} The node must repeat that in later blocks before the payment fails.`;
  if (!isCertain) return { outcome: "waits", kind: "chain_unavailable", reason: repeat, isBrief: true };
  refusals.forget(transfer.id);
  return { outcome: "refused", reason: simulation.reason };
}
