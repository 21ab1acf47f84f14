/** The sandbox's outcome of a settlement, by the last six characters of the merchant's wallet. Any other wallet behaves normally. */
export const SIMULATED_WALLETS = {
  "999951":
    "above the maximum: an admin approves it five seconds later; if two must approve, a person gives the second approval in the console",
  "999952": "above the maximum: an admin rejects it five seconds later",
  "999953": "the first transaction of the payment stays out of every block, until a further attempt offers a higher fee",
  "999954": "the chain drops the block of the payment once, before it is final",
} as const;
export type SimulatedWallet = keyof typeof SIMULATED_WALLETS;

/** How long the simulated admin thinks, in business time. */
export const SIMULATED_DECISION_SECONDS = 5;

/** null: an address like any other. */
export function simulatedWalletOf(address: string): SimulatedWallet | null {
  const ending = address.slice(-6);
  return Object.hasOwn(SIMULATED_WALLETS, ending) ? (ending as SimulatedWallet) : null;
}
