/**
 * A treasury wallet's life. `active` signs and receives. `draining` signs nothing new, and what it has signed is seen through. `retired`
 * and `compromised` are never signed with again and never receive anything.
 */
export const WALLET_STATES = ["active", "draining", "retired", "compromised"] as const;
export type WalletState = (typeof WALLET_STATES)[number];

const NEXT: Record<WalletState, readonly WalletState[]> = {
  active: ["draining", "retired", "compromised"],
  draining: ["active", "retired", "compromised"],
  retired: ["active", "compromised"],
  compromised: [],
};

/** Whether a person may set this state. A leaked key is never trusted again. */
export function mayBecome(from: WalletState, to: WalletState): boolean {
  return NEXT[from].includes(to);
}

/** Whether its key may still be used to finish its transactions: a higher fee, a cancellation, a missing nonce. */
export function seesThrough(state: WalletState): boolean {
  return state === "active" || state === "draining";
}

/**
 * Where a wallet's key is: in a file on this machine, in the sandbox, with a remote signer, in a token (PKCS#11), or in a cloud's key
 * service.
 */
export const SIGNER_KINDS = ["sandbox", "keystore", "remote", "pkcs11", "aws-kms"] as const;
export type SignerKind = (typeof SIGNER_KINDS)[number];
