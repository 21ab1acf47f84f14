/** `address` null: the chain's native coin. */
export type TokenInfo = { currency: string; address: string | null; decimals: number };
