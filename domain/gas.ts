/**
 * How a chain charges fees. `coin`: in its own coin, which no token shows. `token`: in a token, and there is no coin. `same-as-token`: in a
 * coin that a token contract shows as well, so that one balance appears twice.
 */
export const GAS_KINDS = ["coin", "token", "same-as-token"] as const;
export type GasKind = (typeof GAS_KINDS)[number];

/** Chains that show their coin as a token (Arc, whose coin is USDC). No other chain has a contract there. */
export const COIN_AS_TOKEN = "0x3600000000000000000000000000000000000000";

/** Chains whose fees are not paid in their own coin, by CAIP-2 id. */
export const KNOWN_GAS: ReadonlyMap<string, { name: string; gas: GasKind }> = new Map([
  ["eip155:4217", { name: "Tempo", gas: "token" }],
  ["eip155:42431", { name: "Tempo's test network", gas: "token" }],
  ["eip155:5042", { name: "Arc", gas: "same-as-token" }],
  ["eip155:5042002", { name: "Arc's test network", gas: "same-as-token" }],
]);

/** The kind of gas of a chain: as stated, else as known from its id, else `coin`. */
export function gasOf(chain: string, stated?: GasKind): GasKind {
  return stated ?? KNOWN_GAS.get(chain)?.gas ?? "coin";
}
