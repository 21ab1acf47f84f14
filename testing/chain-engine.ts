import { type AnvilOptions, CHAIN_ID, startAnvil, startNode } from "#sandbox/chain/anvil.ts";
import type { GuardedProcess } from "#sandbox/guarded-process.ts";

/** Which engine runs tests' chains: anvil as Ethereum or as an OP Stack chain, or Hardhat's. They differ as docs/reliability.md says. */
const ENGINES = ["anvil", "optimism", "hardhat"] as const;
export type ChainEngine = (typeof ENGINES)[number];

/** The engine that `CHAIN_ENGINE` names; default: anvil. @throws Error for an unknown one. */
export function chainEngine(): ChainEngine {
  const named = process.env.CHAIN_ENGINE ?? "anvil";
  const engine = ENGINES.find((each) => each === named);
  if (engine === undefined) throw new Error(`CHAIN_ENGINE is ${named}; it can be ${ENGINES.join(", ")}`);
  return engine;
}

/** Starts a node of that engine, and waits until it answers. */
export async function startChainEngine(engine: ChainEngine, options: Pick<AnvilOptions, "port" | "logFile">): Promise<GuardedProcess> {
  if (engine !== "hardhat") return await startAnvil({ ...options, ...(engine === "optimism" ? { network: { name: engine } } : {}) });
  const program = new URL("./hardhat-node.ts", import.meta.url).pathname;
  const args = [program, "--port", String(options.port), "--chain-id", String(CHAIN_ID)];
  return await startNode({ ...options, command: process.execPath, args });
}
