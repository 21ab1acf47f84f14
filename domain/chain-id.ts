/** A blockchain network in CAIP-2 form: `eip155:1` is namespace `eip155`, reference `1`. */
export type ChainId = { namespace: string; reference: string };

const CAIP_2 = /^([-a-z0-9]{3,8}):([-_a-zA-Z0-9]{1,32})$/;

/** Reads a CAIP-2 chain id by that standard's grammar; null when the text is none. Says nothing of whether the chain is known. */
export function parseChainId(text: string): ChainId | null {
  const [, namespace, reference] = CAIP_2.exec(text) ?? [];
  return namespace === undefined || reference === undefined ? null : { namespace, reference };
}

/** The chains of development nodes, the sandbox's among them: live mode never pays there. */
export const DEVELOPMENT_CHAINS: readonly string[] = ["eip155:31337", "eip155:1337"];

/**
 * Public test chains, whose coins are worth nothing: Sepolia, Holesky, Hoodi, and those of Optimism, Base, Arbitrum, Polygon, BNB, Avalanche,
 * Celo, Gnosis, Linea, Scroll, zkSync and Mantle.
 */
export const TEST_CHAINS: ReadonlySet<string> = new Set(
  [
    11_155_111, 17_000, 560_048, 11_155_420, 84_532, 421_614, 80_002, 97, 43_113, 44_787, 11_142_220, 10_200, 59_141, 534_351, 300, 5_003,
  ].map((reference) => `eip155:${reference}`),
);
