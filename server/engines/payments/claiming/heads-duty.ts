import { HEADS_EVERY_MS } from "#domain/vitals.ts";
import type { Duty } from "#server/engines/duty.ts";
import type { TransferEngine } from "#server/engines/payments/engine.ts";
import type { EvmNode } from "#server/ports.ts";
import { askHead } from "./connect-nodes.ts";

/**
 * Asks every node for its newest block, in parallel with the payments, so that a node that falls silent is known within seconds. Answers are not
 * waited for: a silent node delays no other, and is not asked again before it has answered or failed.
 */
export function headsDuty(engine: TransferEngine): Duty {
  const asked = new Set<EvmNode>();
  return {
    name: "chain heads",
    everyMs: HEADS_EVERY_MS,
    async run() {
      for (const chain of engine.ctx.evm.list()) {
        for (const node of chain.nodes.filter((each) => !asked.has(each))) {
          asked.add(node);
          void askHead(engine, chain, node).finally(() => asked.delete(node));
        }
      }
      return "idle";
    },
  };
}
