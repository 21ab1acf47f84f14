import { SOLANA_REFERENCE } from "#domain/chain-id.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { MemoContent } from "#domain/payment-reference.ts";
import { DEFAULT_PRIORITY, type PriorityPolicy } from "#domain/solana-fees.ts";
import type { MintPower } from "#domain/solana-mint.ts";
import { lazyNode } from "#server/adapters/chain/lazy-node.ts";
import { SOLANA_PACKING } from "./packing.ts";
import type { SolanaRules } from "./read-chain.ts";
import type { Commitment } from "./solana-rpc.ts";

/** A Solana cluster, as the configuration says. */
export type SolanaChainSettings = {
  /** CAIP-2: `solana:` and the first 32 characters of the genesis hash. */
  chain: string;
  name: string;
  rpcUrls: readonly string[];
  rpcTimeoutMs?: number;
  /** `accepts`: what the issuer can do and the operator accepts. */
  tokens: readonly { currency: string; address: string; decimals: number; accepts?: readonly MintPower[] }[];
  /** Which blocks count as final. */
  commitment?: Commitment;
  priority?: PriorityPolicy;
  explorerUrl?: string | null;
  /** What a payment's memo says; left out: the partner's reference. */
  memo?: MemoContent;
  /** Where the operator may take crypto out of the wallets; left out: nowhere. */
  treasuryDestinations?: readonly string[];
  /** Whether several payments go into one transaction; left out: they do not. */
  packing?: boolean | undefined;
  /** By currency, in base units. */
  twoNodesFrom?: Readonly<Record<string, bigint>>;
};

const COIN = { currency: "SOL", address: null, decimals: 9 };
/** 0.01 SOL, of which a recipient's account takes 0.00204. */
const MOST_FEE = 10_000_000n;
/** A blockhash lapses after 151 blocks, and the newest one is some 32 above the final block. */
const LONGEST_VALID = 200;
/** A reference of 128 characters, and our id. Such a payment fits into a transaction. */
const MEMO_BYTES = 542;
const TIMEOUT_MS = 10_000;

/** Opens a cluster. @throws Error where its name is none of a cluster */
export function openSolanaChain(settings: SolanaChainSettings, tracePlace?: () => string | null): LapsingChain {
  const { chain, name, tokens, commitment = "finalized", priority = DEFAULT_PRIORITY, twoNodesFrom } = settings;
  if (!SOLANA_REFERENCE.test(chain)) throw new Error(`${chain} is no Solana cluster`);
  const rules: SolanaRules = { tokens: tokens.map((token) => ({ accepts: [], ...token })), commitment, priority };
  return {
    identity: chain.slice("solana:".length),
    memo: settings.memo ?? "reference",
    memoBytes: MEMO_BYTES,
    longestValid: { by: "height", blocks: LONGEST_VALID },
    mostFeeBase: MOST_FEE,
    treasuryDestinations: settings.treasuryDestinations ?? [],
    packing: settings.packing ? SOLANA_PACKING : undefined,
    chain,
    name,
    // A block is final by its commitment, not by what is on top of it.
    confirmations: 1,
    explorerUrl: settings.explorerUrl ?? null,
    tokens: [COIN, ...tokens.map(({ currency, address, decimals }) => ({ currency, address, decimals }))],
    nodes: settings.rpcUrls.map((url) =>
      lazyNode(url, async () => await loadNode(url, rules, settings.rpcTimeoutMs ?? TIMEOUT_MS, tracePlace), { judgesRecipients: true }),
    ),
    // A payment in a currency without a threshold counts as large.
    twoNodesFrom: (currency) => twoNodesFrom?.[currency] ?? 0n,
    checkSigned: async (...signed) => (await import("./check-signed.ts")).checkSigned(...signed),
  };
}

async function loadNode(url: string, rules: SolanaRules, timeoutMs: number, tracePlace?: () => string | null) {
  const [{ solanaNode }, { solanaRpc }] = await Promise.all([import("./node.ts"), import("./solana-rpc.ts")]);
  return solanaNode(solanaRpc(url, timeoutMs, tracePlace), rules);
}
