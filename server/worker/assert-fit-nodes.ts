import { setTimeout as sleep } from "node:timers/promises";
import type { LapsingChain, LapsingNode } from "#domain/lapsing-chain.ts";
import { ConfigError } from "#server/config.ts";
import type { Context, Uses } from "#server/context.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { findContradiction } from "#server/services/ledger/find-contradiction.ts";

/** The longest delay of the start by a silent node. The payment engine checks the same before it uses the node. */
const PATIENCE_MS = 2_000;

/**
 * Refuses to start if a node reports another chain, or fees in another coin than configured, and in live mode if it says that it is no node
 * of a real network, or if it would include nothing that is made by the settings. A silent node contradicts nothing.
 *
 * @throws ConfigError with every contradiction
 */
export async function assertFitNodes({ evm, lapsing, mode }: Uses<"evm" | "lapsing" | "mode">, patienceMs = PATIENCE_MS): Promise<void> {
  const problems: string[] = [];
  const judgements = [
    ...evm.list().flatMap((chain) => chain.nodes.map((node) => findContradiction(chain, node))),
    ...lapsing.list().flatMap((chain) => chain.nodes.map((node) => findLapsingContradiction(chain, node, mode))),
  ];
  const asked = judgements.map(async (judgement) => {
    const contradiction = await judgement.catch(asSilence);
    if (contradiction !== null) problems.push(`CHAINS: ${contradiction}.`);
  });
  const patience = new AbortController();
  await Promise.race([Promise.all(asked), sleep(patienceMs, undefined, { signal: patience.signal }).catch(() => {})]);
  patience.abort();
  if (problems.length > 0) throw new ConfigError(mode, problems.toSorted());
}

function asSilence(error: unknown): null {
  if (error instanceof Unreachable || error instanceof Rejected) return null;
  throw error;
}

async function findLapsingContradiction(
  { chain, identity }: Pick<LapsingChain, "chain" | "identity">,
  node: LapsingNode,
  mode: Context["mode"],
): Promise<string | null> {
  const said = await node.identity();
  if (said !== identity) return `${node.name} is a node of ${said}, not of ${identity} (${chain})`;
  // A provider of nodes may not say what it runs.
  const double = mode === "live" ? await node.double?.().catch(asSilence) : null;
  if (double != null) return `${node.name} says that it is "${double}", where live mode never pays (${chain})`;
  const unfit = await node.findUnfit?.().catch(asSilence);
  return unfit == null ? null : `${unfit} (${chain})`;
}
