/** A blockchain network in CAIP-2 form: `eip155:1` is namespace `eip155`, reference `1`. */
export type ChainId = { namespace: string; reference: string };

const CAIP_2 = /^([-a-z0-9]{3,8}):([-_a-zA-Z0-9]{1,32})$/;

/** Parses a CAIP-2 chain id by that standard's grammar; null when the text is malformed. Does not check whether the chain is known. */
export function parseChainId(text: string): ChainId | null {
  const [, namespace, reference] = CAIP_2.exec(text) ?? [];
  return namespace === undefined || reference === undefined ? null : { namespace, reference };
}

/** The sandbox's double of a Tron network. The end of its first block's hash spells "doub", as on no real network. */
export const TRON_DOUBLE = "tron:0x646f7562";

/** A Solana cluster's CAIP-2 name: the first 32 characters of its first block's hash (32 bytes in base 58). */
export const SOLANA_REFERENCE = /^solana:[1-9A-HJ-NP-Za-km-z]{32}$/;

/** The chains of development nodes, the sandbox's among them: live mode never pays there. */
export const DEVELOPMENT_CHAINS: readonly string[] = ["eip155:31337", "eip155:1337", TRON_DOUBLE];

/**
 * The least number of confirmations after which a payment on a known chain may count as final, where the node's `finalized` block does not
 * decide: more than the depth of reorgs there. For every other chain it is {@link FEWEST_CONFIRMATIONS}.
 */
const LEAST_CONFIRMATIONS: ReadonlyMap<string, number> = new Map([
  ["eip155:1", 12],
  ["eip155:56", 15],
  ["eip155:100", 12],
  ["eip155:137", 50],
  // The sequencers' chains: OP, Unichain, World Chain, Soneium, Mode, Base, Celo, Ink, zkSync, Mantle, Linea, Scroll; Arbitrum has four blocks a second.
  ...[10, 130, 480, 1_868, 34_443, 8_453, 42_220, 57_073, 324, 5_000, 59_144, 534_352].map(
    (reference) => [`eip155:${reference}`, 10] as const,
  ),
  ["eip155:42161", 100],
  ["eip155:42170", 100],
]);
const FEWEST_CONFIRMATIONS = 2;

/** The least number of confirmations that live mode allows for a chain; one for a test chain, whose coins are worth nothing. */
export function leastConfirmations(chain: string): number {
  return TEST_CHAINS.has(chain) ? 1 : (LEAST_CONFIRMATIONS.get(chain) ?? FEWEST_CONFIRMATIONS);
}

/**
 * Public test chains, whose coins are worth nothing: Sepolia, Holesky, Hoodi, and those of Optimism, Base, Arbitrum, Polygon, BNB, Avalanche,
 * Celo, Gnosis, Linea, Scroll, zkSync and Mantle.
 */
const TEST_CHAINS: ReadonlySet<string> = new Set(
  [
    11_155_111, 17_000, 560_048, 11_155_420, 84_532, 421_614, 80_002, 97, 43_113, 44_787, 11_142_220, 10_200, 59_141, 534_351, 300, 5_003,
  ].map((reference) => `eip155:${reference}`),
);
