import { parseChainId, TRON_DOUBLE } from "#domain/chain-id.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { MemoContent } from "#domain/payment-reference.ts";
import { lazyNode } from "#server/adapters/chain/lazy-node.ts";

/** A Tron network, as the configuration says. */
export type TronChainSettings = {
  /** CAIP-2: `tron:` and the last four bytes of the first block's hash, such as `tron:0x2b6653dc`. */
  chain: string;
  name: string;
  /** At least one; the first is asked first. */
  rpcUrls: readonly string[];
  rpcTimeoutMs?: number;
  /** Addresses in base58check. */
  tokens: readonly { currency: string; address: string; decimals: number }[];
  explorerUrl?: string | null;
  /** What the nodes' provider knows us by. */
  apiKey?: string | null;
  /** What a payment's memo says; left out: the partner's reference. */
  memo?: MemoContent;
  /** Where the operator may take crypto out of the wallets; left out: nowhere. */
  treasuryDestinations?: readonly string[];
  /** By currency, in base units. */
  twoNodesFrom?: Readonly<Record<string, bigint>>;
  /** Whether it pays with other people's money. */
  isLive: boolean;
};

/** 200 TRX, which is 2 transfers at the highest price so far. */
const MOST_FEE = 200_000_000n;
/** A minute after the newest block, which is up to 18 blocks above the final one; and as much again. */
const LONGEST_VALID_MS = 240_000;
/** A reference of 128 characters, and our id. The network has no bound that it could reach. */
const MEMO_BYTES = 542;
const COIN = { currency: "TRX", address: null, decimals: 6 };

/** Opens a Tron network. Nothing is asked before its first use. @throws Error for the sandbox's double in live mode */
export function openTronChain(settings: TronChainSettings): LapsingChain {
  const { chain, name, rpcUrls, rpcTimeoutMs, tokens, explorerUrl = null, twoNodesFrom, apiKey, isLive } = settings;
  const id = parseChainId(chain);
  if (id?.namespace !== "tron") throw new Error(`${chain} is no Tron network`);
  if (isLive && chain === TRON_DOUBLE) throw new Error(`${chain} is the sandbox's double of a Tron network: live mode never pays there`);
  const options = { timeoutMs: rpcTimeoutMs, apiKey, tokens: tokens.map(({ address }) => address) };
  return {
    identity: id.reference,
    memo: settings.memo ?? "reference",
    memoBytes: MEMO_BYTES,
    longestValid: { by: "time", ms: LONGEST_VALID_MS },
    mostFeeBase: MOST_FEE,
    treasuryDestinations: settings.treasuryDestinations ?? [],
    chain,
    name,
    // A block is final when it is solidified, not by what is on top of it.
    confirmations: 1,
    explorerUrl,
    explorerPath: "transaction",
    tokens: [COIN, ...tokens.map(({ currency, address, decimals }) => ({ currency, address, decimals }))],
    nodes: rpcUrls.map((url) => lazyNode(url, async () => (await import("./node.ts")).tronNode(url, options), { judgesRecipients: true })),
    // A payment in a currency without a threshold counts as large.
    twoNodesFrom: (currency) => twoNodesFrom?.[currency] ?? 0n,
    checkSigned: async (...signed) => (await import("./check-signed.ts")).checkSigned(...signed),
  };
}
