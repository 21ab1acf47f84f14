import type { LapsingChain, LapsingPacking } from "#domain/lapsing-chain.ts";
import type { MemoContent } from "#domain/payment-reference.ts";
import { checksumAddress } from "#domain/wallet-address.ts";
import { lazyNode } from "#server/adapters/chain/lazy-node.ts";

/** A network of Tempo as the settings describe it. */
export type TempoChainSettings = {
  /** CAIP-2. */
  chain: string;
  name: string;
  /** At least one; the first is asked first. */
  rpcUrls: readonly string[];
  rpcTimeoutMs?: number;
  confirmations: number;
  tokens: readonly { currency: string; address: string; decimals: number }[];
  /** The currency of the token that fees are paid in. */
  feeCurrency: string;
  /** How long signed bytes are valid. */
  validForSeconds: number;
  explorerUrl?: string | null;
  /** What a payment's memo says; left out: the partner's reference. */
  memo?: MemoContent;
  /** Where the operator may take crypto out of the wallets; left out: nowhere. */
  treasuryDestinations?: readonly string[];
  /** Whether several payments go into one transaction; left out: they do not. */
  packing?: boolean | undefined;
  /** By currency, in base units. A payment in a currency without a threshold counts as large. */
  twoNodesFrom?: Readonly<Record<string, bigint>>;
};

/** One unit of the fee token. */
const MOST_FEE = 1_000_000n;
/** Of `transferWithMemo`. */
const MEMO_BYTES = 32;
/** Payments to new holders use some 300,000 gas each. */
const PACKING: LapsingPacking = { most: 32, room: 32, sizeOf: () => 1 };
const TIMEOUT_MS = 10_000;

const canonical = (address: string) => checksumAddress(address.toLowerCase());

/** Opens a network of Tempo. Nothing is asked before its first use. @throws Error where its name or its fee token is wrong */
export function openTempoChain(settings: TempoChainSettings, tracePlace?: () => string | null): LapsingChain {
  const { chain, name, confirmations, feeCurrency, validForSeconds, twoNodesFrom } = settings;
  const tokens = settings.tokens.map((token) => ({ ...token, address: canonical(token.address) }));
  const chainId = Number(/^eip155:([1-9][0-9]*)$/.exec(chain)?.[1]);
  if (!Number.isSafeInteger(chainId)) throw new Error(`${chain} names no network of Tempo`);
  const feeToken = tokens.find(({ currency }) => currency === feeCurrency);
  if (feeToken === undefined) throw new Error(`${chain} has no token ${feeCurrency} to pay fees in`);
  const rules = { chainId, confirmations, feeToken: feeToken.address, tokens: tokens.map(({ address }) => address), validForSeconds };
  return {
    identity: String(chainId),
    memo: settings.memo ?? "reference",
    memoBytes: MEMO_BYTES,
    longestValid: { by: "time", ms: 2 * validForSeconds * 1_000 },
    mostFeeBase: MOST_FEE,
    treasuryDestinations: (settings.treasuryDestinations ?? []).map(canonical),
    packing: settings.packing ? PACKING : undefined,
    chain,
    name,
    confirmations,
    explorerUrl: settings.explorerUrl ?? null,
    tokens,
    nodes: settings.rpcUrls.map((url) =>
      lazyNode(url, async () => (await import("./node.ts")).tempoNode(url, rules, settings.rpcTimeoutMs ?? TIMEOUT_MS, tracePlace), {
        judgesRecipients: true,
      }),
    ),
    canonical,
    twoNodesFrom: (currency) => twoNodesFrom?.[currency] ?? 0n,
    checkSigned: async (...signed) => (await import("./payment-bytes.ts")).checkSigned(...signed),
  };
}
