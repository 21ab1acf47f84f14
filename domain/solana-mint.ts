/** What an issuer can do to a token of Solana, as far as the operator accepts it for a token of the configuration. */
export const MINT_POWERS = ["freeze_authority", "permanent_delegate", "transfer_fee", "transfer_hook", "pausable"] as const;
export type MintPower = (typeof MINT_POWERS)[number];
