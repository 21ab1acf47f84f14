/**
 * A treasury wallet's life. `active` signs and receives. `draining` signs nothing new, and what it has signed is seen through. `retired`
 * and `compromised` are never signed with again and never receive anything.
 */
export const WALLET_STATES = ["active", "draining", "retired", "compromised"] as const;
export type WalletState = (typeof WALLET_STATES)[number];
