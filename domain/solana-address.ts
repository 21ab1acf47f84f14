import { base58 } from "@scure/base";
import { isEd25519Key } from "./ed25519-point.ts";

/** Programs that every Solana cluster has, by what the service calls them. */
export const SOLANA_PROGRAMS = {
  system: "11111111111111111111111111111111",
  token: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  token2022: "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
  associatedToken: "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
  memo: "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
  computeBudget: "ComputeBudget111111111111111111111111111111",
} as const;

/** What is at an address on every cluster, or on the main one, and never is a person's wallet. Half of them look like keys. */
const NO_WALLETS: ReadonlyMap<string, string> = new Map([
  ...Object.values(SOLANA_PROGRAMS).map((address) => [address, "a program"] as const),
  ...[
    "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo",
    "Vote111111111111111111111111111111111111111",
    "Stake11111111111111111111111111111111111111",
    "Config1111111111111111111111111111111111111",
    "Feature111111111111111111111111111111111111",
    "AddressLookupTab1e1111111111111111111111111",
    "BPFLoader1111111111111111111111111111111111",
    "BPFLoader2111111111111111111111111111111111",
    "BPFLoaderUpgradeab1e11111111111111111111111",
    "LoaderV411111111111111111111111111111111111",
    "NativeLoader1111111111111111111111111111111",
    "Ed25519SigVerify111111111111111111111111111",
    "KeccakSecp256k11111111111111111111111111111",
    "Secp256r1SigVerify1111111111111111111111111",
    "ZkE1Gama1Proof11111111111111111111111111111",
    "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s",
  ].map((address) => [address, "a program"] as const),
  ["So11111111111111111111111111111111111111112", "a mint"],
  ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "a mint"],
  ["Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", "a mint"],
  ["2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo", "a mint"],
  ["1nc1nerator11111111111111111111111111111111", "where tokens are burned"],
]);

/**
 * What is wrong with a Solana wallet's address, or null. It has no checksum, so a lost character is found by the number of bytes, and half of
 * all other mistakes by the curve. What an account holds (a mint, a token account) only the chain knows.
 */
export function faultOfSolana(address: string): string | null {
  const key = decode(address);
  if (key === null || key.length !== 32) return "The address must be 32 bytes in base 58.";
  if (key.every((byte) => byte === 0)) return "The zero address has no owner.";
  const known = NO_WALLETS.get(address) ?? (address.startsWith("Sysvar") ? "an account of the cluster itself" : undefined);
  if (known !== undefined) return `The address is ${known}, not a wallet.`;
  return isEd25519Key(key)
    ? null
    : "The address is not on the Ed25519 curve, so no key can sign for it: it is a program's or a token account.";
}

/** Whether a text is 32 bytes in base 58, as every account's address. */
export function isSolanaKey(text: string): boolean {
  return text.length <= 44 && decode(text)?.length === 32;
}

/** The address of a public key. */
export function solanaAddressOf(publicKey: Uint8Array): string {
  return base58.encode(publicKey);
}

function decode(address: string): Uint8Array | null {
  try {
    return base58.decode(address);
  } catch {
    return null;
  }
}
