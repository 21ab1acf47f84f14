/** The ports of the networks besides EVM's. */
export const FAMILY_PORTS = ["solana", "tron", "tronEvm", "tempo"] as const;
export type FamilyPort = (typeof FAMILY_PORTS)[number];
