import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError } from "#server/config.ts";
import type { Uses } from "#server/context.ts";
import { EvmRejected, Unreachable } from "#server/ports.ts";
import { findContradiction } from "#server/services/ledger/find-contradiction.ts";

/** The longest delay of the start by a silent node. The payment engine checks the same before it uses the node. */
const PATIENCE_MS = 2_000;

/**
 * Refuses to start if a node reports another chain, or fees in another coin than configured. A silent node contradicts nothing.
 *
 * @throws ConfigError with every contradiction
 */
export async function assertFitNodes({ evm, mode }: Uses<"evm" | "mode">, patienceMs = PATIENCE_MS): Promise<void> {
  const problems: string[] = [];
  const asked = evm.list().flatMap((chain) =>
    chain.nodes.map(async (node) => {
      const contradiction = await findContradiction(chain, node).catch((error: unknown) => {
        if (error instanceof Unreachable || error instanceof EvmRejected) return null;
        throw error;
      });
      if (contradiction !== null) problems.push(`CHAINS: ${contradiction}.`);
    }),
  );
  const patience = new AbortController();
  await Promise.race([Promise.all(asked), sleep(patienceMs, undefined, { signal: patience.signal }).catch(() => {})]);
  patience.abort();
  if (problems.length > 0) throw new ConfigError(mode, problems.toSorted());
}
