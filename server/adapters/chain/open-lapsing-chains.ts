import { powerOfTen } from "#domain/decimal.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { MemoContent } from "#domain/payment-reference.ts";
import type { PriorityPolicy } from "#domain/solana-fees.ts";
import type { MintPower } from "#domain/solana-mint.ts";
import type { LapsingDirectory } from "#server/ports.ts";
import { openSolanaChain } from "./solana/open-solana-chains.ts";
import { openTempoChain } from "./tempo/open-tempo-chain.ts";
import { openTronChain } from "./tron/open-tron-chain.ts";

type Token = { currency: string; address: string; decimals: number };
type Settings = {
  /** CAIP-2. */
  chain: string;
  name: string;
  rpcUrls: readonly string[];
  rpcTimeoutMs?: number | undefined;
  native: { currency: string; decimals: number } | null;
  /** In whole units of a currency. */
  twoNodesFrom?: Readonly<Record<string, number>> | undefined;
  explorerUrl?: string | null | undefined;
  memo?: MemoContent;
  treasuryDestinations?: readonly string[];
};

/** A chain whose payments lapse, as the configuration describes it. */
export type LapsingChainSettings =
  | (Settings & {
      family: "tempo";
      confirmations: number;
      tokens: readonly Token[];
      feeCurrency: string;
      validForSeconds: number;
      packing?: boolean;
    })
  | (Settings & {
      family: "solana";
      tokens: readonly (Token & { accepts?: readonly MintPower[] })[];
      commitment?: "finalized" | "confirmed";
      priority?: PriorityPolicy;
      packing?: boolean;
    })
  | (Settings & { family: "tron"; tokens: readonly Token[]; apiKey?: string | null });

type Options = { isLive: boolean; tracePlace?: () => string | null };

/** In whole units. A coin is worth much more than a unit of the usual tokens. */
const DEFAULT_TWO_NODES_FROM = { token: 10_000, coin: 10 };

/**
 * The chains of the configuration whose payments lapse, without EVM's; no node is asked yet. `tracePlace`: the value of `traceparent`.
 *
 * @throws Error in live mode for a network that is not real
 */
export function openLapsingChains(
  settings: readonly (LapsingChainSettings | { family?: "evm" | undefined })[],
  options: Options,
): LapsingDirectory {
  const chains = settings.filter(isLapsing).map((each) => open(each, options));
  return { list: () => chains, find: (chain) => chains.find((known) => known.chain === chain) ?? null };
}

function isLapsing(settings: LapsingChainSettings | { family?: "evm" | undefined }): settings is LapsingChainSettings {
  return settings.family !== undefined && settings.family !== "evm";
}

function open(settings: LapsingChainSettings, { isLive, tracePlace }: Options): LapsingChain {
  const { rpcTimeoutMs, ...given } = settings;
  const common = {
    explorerUrl: given.explorerUrl ?? null,
    twoNodesFrom: twoNodesFrom(settings),
    ...(rpcTimeoutMs === undefined ? {} : { rpcTimeoutMs }),
  };
  switch (given.family) {
    case "tempo":
      return openTempoChain({ ...given, ...common }, tracePlace);
    case "solana":
      return openSolanaChain({ ...given, ...common }, tracePlace);
    case "tron":
      return openTronChain({ ...given, ...common, isLive });
  }
}

/** By currency, in base units. */
function twoNodesFrom({ native, tokens, twoNodesFrom: configured }: LapsingChainSettings): Record<string, bigint> {
  const coin = native === null ? [] : [{ ...native, units: DEFAULT_TWO_NODES_FROM.coin }];
  const all = [...coin, ...tokens.map((token) => ({ ...token, units: DEFAULT_TWO_NODES_FROM.token }))];
  return Object.fromEntries(
    all.map(({ currency, decimals, units }) => [currency, BigInt(configured?.[currency] ?? units) * powerOfTen(decimals)]),
  );
}
