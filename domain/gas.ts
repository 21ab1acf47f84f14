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

/** What fees may cost. A payment beyond it waits, and continues by itself. */
export type FeeLimits = {
  /** The most that one wallet spends within an hour, in base units of the coin; null: any amount. */
  hourlyBase: bigint | null;
  /** The largest fee, in basis points of the payment. */
  shareBps: bigint;
  /** About what one coin is worth, by currency, in millionths of a unit. A payment in another currency has no largest fee. */
  coinValues: ReadonlyMap<string, bigint>;
};

export const NO_FEE_LIMITS: FeeLimits = { hourlyBase: null, shareBps: 10_000n, coinValues: new Map() };

const MILLION = 1_000_000n;
const BPS = 10_000n;

type PaidFor = { currency: string; amountBase: bigint; tokenDecimals: number };

/** Whether a fee is a larger share of a payment than the limit allows. What moves nothing, such as a deployment, has no share. */
export function isFeeTooLarge(
  limits: FeeLimits,
  fee: { base: bigint; decimals: number },
  { currency, amountBase, tokenDecimals }: PaidFor,
): boolean {
  const value = limits.coinValues.get(currency);
  if (value === undefined || amountBase === 0n) return false;
  return fee.base * value * 10n ** BigInt(tokenDecimals) * BPS > amountBase * limits.shareBps * 10n ** BigInt(fee.decimals) * MILLION;
}
