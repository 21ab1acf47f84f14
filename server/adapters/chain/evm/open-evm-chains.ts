import { powerOfTen } from "#domain/decimal.ts";
import { type FeeLimits, type GasKind, gasOf } from "#domain/gas.ts";
import type { TokenInfo } from "#domain/token.ts";
import { isPackingContract, PACKING_CONTRACT } from "#server/adapters/chain/evm/packing/packing-contract.ts";
import { safeContracts } from "#server/adapters/chain/evm/safe/safe-contracts.ts";
import type { EvmChain, EvmDirectory } from "#server/ports.ts";
import { evmNode } from "./node.ts";

/** An EVM chain as the configuration describes it. */
export type EvmChainSettings = {
  family?: "evm" | undefined;
  /** CAIP-2: `eip155:<chain id>`. */
  chain: string;
  name: string;
  /** The first one answers; every other is a fallback and a witness. */
  rpcUrls: readonly string[];
  confirmations: number;
  native: { currency: string; decimals: number };
  /** Left out: known from the chain's id, else `coin`. */
  gas?: GasKind | undefined;
  /** ERC-20 tokens; the native coin is added by itself. */
  tokens: readonly { currency: string; address: string; decimals: number }[];
  maxFeePerGasGwei?: number | undefined;
  /** In whole coins. */
  feeBudgetPerHour?: number | undefined;
  maxFeePercent?: number | undefined;
  /** In units of a currency. */
  coinValue?: Readonly<Record<string, number>> | undefined;
  bumpAfterSeconds?: number | undefined;
  useFinalizedTag?: boolean | undefined;
  /** The amount, in whole units of a currency, from which two nodes must agree that a payment is final. */
  twoNodesFrom?: Readonly<Record<string, number>> | undefined;
  dataFee?: "op-stack" | "none" | undefined;
  explorerUrl?: string | null | undefined;
  rpcTimeoutMs?: number | undefined;
  /** Whether several payments go into one transaction; off where it is left out. */
  packing?: boolean | undefined;
  /** Where the operator may take crypto out of the wallets; nowhere where it is left out. */
  treasuryDestinations?: readonly string[] | undefined;
};

/** A chain of another family, which has its own adapter. */
type OfAnotherFamily = { family: "tempo" | "solana" | "tron" };
type TracePlaceOf = () => string | null;

const DEFAULT_BUMP_SECONDS = 60;
const DEFAULT_FEE_PERCENT = 20;
/** In whole units. A native coin is worth much more than a unit of the usual tokens. */
const DEFAULT_TWO_NODES_FROM = { token: 10_000, native: 10 };
/** Chains of the OP stack: OP, Base, Unichain, World Chain, Soneium, Ink, Mode, Zora, and the test networks of the first two. */
const OP_STACK = [10, 8453, 130, 480, 1868, 57073, 34443, 7777777, 11155420, 84532];

/**
 * The EVM chains of the configuration, without those of other families; no node is asked yet. `tracePlace`: the value of `traceparent`.
 */
export function openEvmChains(settings: readonly (EvmChainSettings | OfAnotherFamily)[], tracePlace?: TracePlaceOf): EvmDirectory {
  const chains = settings.filter(isEvm).map((chain) => openEvmChain(chain, tracePlace));
  return { list: () => chains, find: (chain) => chains.find((known) => known.chain === chain) ?? null };
}

function isEvm(settings: EvmChainSettings | OfAnotherFamily): settings is EvmChainSettings {
  return settings.family === undefined || settings.family === "evm";
}

function openEvmChain(settings: EvmChainSettings, tracePlace?: TracePlaceOf): EvmChain {
  const chainId = Number(settings.chain.slice("eip155:".length));
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw new Error(`${settings.chain} names no EVM chain`);
  if (settings.rpcUrls.length === 0) throw new Error(`${settings.chain} has no node: name at least one RPC URL`);
  const native: TokenInfo = { ...settings.native, address: null };
  const gwei = settings.maxFeePerGasGwei;
  return {
    chain: settings.chain,
    name: settings.name,
    confirmations: Math.max(1, settings.confirmations),
    explorerUrl: settings.explorerUrl ?? null,
    tokens: [...settings.tokens, native],
    chainId,
    native: settings.native,
    gas: gasOf(settings.chain, settings.gas),
    useFinalizedTag: settings.useFinalizedTag ?? false,
    maxFeePerGas: gwei === undefined ? null : BigInt(Math.round(gwei * 1_000)) * 1_000_000n,
    feeLimits: feeLimitsOf(settings),
    twoNodesFrom: twoNodesFrom(settings),
    dataFee: dataFeeOf(settings.dataFee, chainId),
    bumpAfterSeconds: settings.bumpAfterSeconds ?? DEFAULT_BUMP_SECONDS,
    nodes: settings.rpcUrls.map((url) => evmNode(url, settings.rpcTimeoutMs, tracePlace)),
    safes: safeContracts,
    packingContract: settings.packing === true ? PACKING_CONTRACT.address : null,
    treasuryDestinations: settings.treasuryDestinations ?? [],
    isPackingContract,
    checkSigned: async (...signed) => (await import("./check-signed.ts")).checkSigned(...signed),
    hashOf: async (raw) => (await import("./check-signed.ts")).hashOf(raw),
  };
}

/** A coin is worth itself. Of other currencies nothing is known unless it is configured. */
function feeLimitsOf({ native, feeBudgetPerHour, maxFeePercent = DEFAULT_FEE_PERCENT, coinValue = {} }: EvmChainSettings): FeeLimits {
  const millionths = (value: number) => BigInt(Math.round(value * 1_000_000));
  return {
    hourlyBase: feeBudgetPerHour === undefined ? null : (millionths(feeBudgetPerHour) * powerOfTen(native.decimals)) / powerOfTen(6),
    shareBps: BigInt(Math.round(maxFeePercent * 100)),
    coinValues: new Map(Object.entries({ ...coinValue, [native.currency]: 1 }).map(([currency, value]) => [currency, millionths(value)])),
  };
}

function twoNodesFrom({ native, tokens, twoNodesFrom: configured }: EvmChainSettings): EvmChain["twoNodesFrom"] {
  const thresholds = new Map(
    [
      { ...native, units: DEFAULT_TWO_NODES_FROM.native },
      ...tokens.map((token) => ({ ...token, units: DEFAULT_TWO_NODES_FROM.token })),
    ].map(({ currency, decimals, units }) => [currency, BigInt(configured?.[currency] ?? units) * powerOfTen(decimals)]),
  );
  // A payment in a currency that is no longer configured counts as large.
  return (currency) => thresholds.get(currency) ?? 0n;
}

function dataFeeOf(configured: EvmChainSettings["dataFee"], chainId: number): EvmChain["dataFee"] {
  if (configured !== undefined) return configured === "none" ? null : configured;
  return OP_STACK.includes(chainId) ? "op-stack" : null;
}
