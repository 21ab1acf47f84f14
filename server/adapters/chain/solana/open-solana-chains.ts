import type { LapsingChain } from "#domain/lapsing-chain.ts";
import { DEFAULT_PRIORITY, type PriorityPolicy } from "#domain/solana-fees.ts";
import type { MintPower } from "./judge-mint.ts";
import { solanaNode } from "./node.ts";
import type { SolanaRules } from "./read-chain.ts";
import { type Commitment, solanaRpc } from "./solana-rpc.ts";

/** A Solana cluster, as the configuration says. */
export type SolanaChainSettings = {
  /** CAIP-2: `solana:` and the first 32 characters of the genesis hash. */
  chain: string;
  name: string;
  /** The hash of its first block, all of it. */
  genesisHash: string;
  rpcUrls: readonly string[];
  rpcTimeoutMs?: number;
  /** `accepts`: what the issuer can do and the operator accepts. */
  tokens: readonly { currency: string; address: string; decimals: number; accepts?: readonly MintPower[] }[];
  /** Which blocks count as final. */
  commitment?: Commitment;
  priority?: PriorityPolicy;
  explorerUrl?: string | null;
  /** By currency, in base units. */
  twoNodesFrom?: Readonly<Record<string, bigint>>;
};

const COIN = { currency: "SOL", address: null, decimals: 9 };
const TIMEOUT_MS = 10_000;

/** Opens a cluster. @throws Error where its name is not that of its first block */
export function openSolanaChain(settings: SolanaChainSettings, tracePlace?: () => string | null): LapsingChain {
  const { chain, name, genesisHash, tokens, commitment = "finalized", priority = DEFAULT_PRIORITY, twoNodesFrom } = settings;
  if (chain !== `solana:${genesisHash.slice(0, 32)}`) throw new Error(`${chain} is not the cluster whose first block is ${genesisHash}`);
  const rules: SolanaRules = { tokens: tokens.map((token) => ({ accepts: [], ...token })), commitment, priority };
  return {
    family: "solana",
    identity: genesisHash,
    chain,
    name,
    // A block is final by its commitment, not by what is on top of it.
    confirmations: 1,
    explorerUrl: settings.explorerUrl ?? null,
    tokens: [COIN, ...tokens.map(({ currency, address, decimals }) => ({ currency, address, decimals }))],
    nodes: settings.rpcUrls.map((url) => solanaNode(solanaRpc(url, settings.rpcTimeoutMs ?? TIMEOUT_MS, tracePlace), rules)),
    // A payment in a currency without a threshold counts as large.
    twoNodesFrom: (currency) => twoNodesFrom?.[currency] ?? 0n,
    checkSigned: async (...signed) => (await import("./check-signed.ts")).checkSigned(...signed),
  };
}
