import type { EvmBlock } from "#domain/evm-chain.ts";
import { ChainMisconfigured, type TransferEngine } from "#server/engines/payments/engine.ts";
import { type EvmChain, type EvmNode, Unreachable } from "#server/ports.ts";
import { findCurrentNode } from "#server/services/ledger/answering-chain.ts";
import { findContradiction } from "#server/services/ledger/find-contradiction.ts";

export type Meeting = { node: EvmNode; witnesses: EvmNode[]; silentNodes: number; head: EvmBlock };

/** A node that answers at all does so well within this, on a busy machine too. */
const FIRST_PATIENCE_MS = 10_000;

/**
 * Asks every node of a chain for its newest block. The first in the configured order that is not behind speaks for the chain, the
 * others that answer are witnesses. A node that lacks a block which the worker needs comes after the others. A node that contradicts the
 * chain's settings is never listened to.
 *
 * @throws Unreachable when none answers
 */
export async function connectNodes(engine: TransferEngine, chain: EvmChain): Promise<Meeting> {
  const answers = await Promise.all(chain.nodes.map((node) => askHead(engine, chain, node)));
  const present = answers.filter((answer) => answer !== null);
  const { lacking } = engine.memory;
  const current = findCurrentNode(present.toSorted((one, other) => Number(lacking.has(one.node)) - Number(lacking.has(other.node))));
  if (!current) throw new Unreachable(`no node of ${chain.chain} answers`);
  return {
    ...current,
    witnesses: present.filter(({ node }) => node !== current.node).map(({ node }) => node),
    silentNodes: chain.nodes.length - present.length,
  };
}

/**
 * Asks every chain once, so that what this process reports of itself says how they are. A node that is silent is waited for no longer than
 * `patienceMs`, and is not reported yet.
 */
export async function connectChains(engine: TransferEngine, patienceMs = FIRST_PATIENCE_MS): Promise<void> {
  const heard = Promise.allSettled(engine.ctx.evm.list().map((chain) => connectNodes(engine, chain)));
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([heard, patience]).finally(() => clearTimeout(timer));
}

/**
 * Asks a node for its newest block and notes its answer. Null: it has none, or did not answer, which is logged when it begins, each
 * minute, and when it ends.
 *
 * @throws nothing: a silent node is the others' chance
 */
export async function askHead(engine: TransferEngine, chain: EvmChain, node: EvmNode): Promise<{ node: EvmNode; head: EvmBlock } | null> {
  const { clock, log, meter } = engine.ctx;
  const { silence } = engine.memory;
  const key = `${chain.chain} ${node.name}`;
  try {
    if (!engine.memory.checkedNodes.has(node)) {
      const contradiction = await findContradiction(chain, node);
      if (contradiction !== null) throw new ChainMisconfigured(contradiction);
      engine.memory.checkedNodes.add(node);
    }
    const head = await node.block("latest");
    const missing = engine.memory.lacking.get(node);
    if (missing !== undefined && (await node.block(missing)) !== null) engine.memory.lacking.delete(node);
    silence.ended(key, (count) => log.info({ chain: chain.chain, node: node.name, ...count }, "a node answers again"));
    if (head === null) return null;
    const lagSeconds = Math.max(0, (clock.now().getTime() - head.at.getTime()) / 1_000);
    meter.chainHead({ chain: chain.chain, node: node.name, height: head.height, lagSeconds });
    return { node, head };
  } catch (error) {
    silence.occurred(key, (count) =>
      log.warn({ chain: chain.chain, node: node.name, ...count, err: error }, "a node does not answer as it should"),
    );
    return null;
  }
}

/**
 * Compares the configured decimals of each token with what its contract says, once per process: USDC has six on one chain and
 * eighteen on another, and a mistake would pay a million million times too much. The packing contract's code is compared, too, where it is used.
 *
 * @throws ChainMisconfigured
 */
export async function checkTokens(engine: TransferEngine, chain: EvmChain, node: EvmNode): Promise<void> {
  if (engine.memory.checkedChains.has(chain.chain)) return;
  for (const token of chain.tokens) {
    if (token.address === null) continue;
    const decimals = await node.decimals(token.address).catch((error: unknown) => {
      if (error instanceof Unreachable) throw error;
      throw new ChainMisconfigured(`${token.currency} on ${chain.chain}: ${error instanceof Error ? error.message : "no answer"}`);
    });
    if (decimals !== token.decimals) {
      throw new ChainMisconfigured(
        `${token.currency} on ${chain.chain} has ${decimals} decimals on the chain and ${token.decimals} in the configuration`,
      );
    }
  }
  await checkPacking(chain, node);
  engine.memory.checkedChains.add(chain.chain);
}

/** Other code at the packing contract's address could keep what it is to pay. */
async function checkPacking({ chain, packingContract: contract, isPackingContract }: EvmChain, node: EvmNode): Promise<void> {
  if (contract === null || isPackingContract(await node.code(contract))) return;
  throw new ChainMisconfigured(
    `packing is on for ${chain}, and the code at ${contract} there is not the packing contract: deploy it (npm run packing -- --deploy ${chain}), or turn packing off`,
  );
}
