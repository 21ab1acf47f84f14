import { createHash } from "node:crypto";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import { parseChainId } from "./chain-id.ts";
import { Refusal } from "./refusal.ts";
import { faultOfSolana, isSolanaKey } from "./solana-address.ts";
import { isDamagedTron, isTronAddress } from "./tron-address.ts";

export type WalletAddressInput = {
  /** CAIP-2. */
  chain: string;
  address: string;
  /** Addresses that must never be paid: the chain's token contracts and our own treasury. Compared case-insensitively. */
  refused: readonly string[];
  /** What the chain itself has against it, in a sentence; left out: nothing is known. */
  fault?: string | null;
};

/** Longer than any address of any chain: base 58 takes quadratic time, so nothing long is ever decoded. */
const MAX_LENGTH = 100;

const base58check = createBase58check((bytes) => createHash("sha256").update(bytes).digest());

/** The Bitcoin networks by CAIP-2 reference, the first 32 hex digits of the genesis block's hash. */
const MAINNET = { prefix: "bc", versions: [0x00, 0x05] };
const TESTNET = { prefix: "tb", versions: [0x6f, 0xc4] };
const BITCOIN_NETWORKS: ReadonlyMap<string, { prefix: string; versions: readonly number[] }> = new Map([
  ["000000000019d6689c085ae165831e93", MAINNET],
  ["000000000933ea01ad0ee984209779ba", TESTNET], // testnet3
  ["00000000da84f2bafbbc53dee25a72ae", TESTNET], // testnet4
  ["00000008819873e925422c1ff0f99f7c", TESTNET], // signet
]);

/** For each namespace: what is wrong with the address, or null. */
const RULES: ReadonlyMap<string, (address: string, reference: string) => string | null> = new Map([
  ["eip155", faultOfEvm],
  ["solana", faultOfSolana],
  ["tron", faultOfTron],
  ["bip122", faultOfBitcoin],
]);

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** What a list of addresses may name, by namespace. `isDamaged`: it looks like one, and a letter is wrong. */
const LISTED: ReadonlyMap<string, { isAddress(text: string): boolean; isDamaged(text: string): boolean }> = new Map([
  [
    "eip155",
    {
      isAddress: (text) => EVM_ADDRESS.test(text),
      isDamaged: (text) => text.startsWith("0x") && !EVM_ADDRESS.test(text) && text.length <= 42,
    },
  ],
  ["solana", { isAddress: isSolanaKey, isDamaged: () => false }],
  ["tron", { isAddress: isTronAddress, isDamaged: isDamagedTron }],
]);

/** Whether a list of addresses is about the recipients of that chain. */
export function isOfListed(chain: string): boolean {
  return LISTED.has(parseChainId(chain)?.namespace ?? "");
}

/** Whether a text in a list is an address that a payment could go to. */
export function isListedAddress(text: string): boolean {
  return [...LISTED.values()].some(({ isAddress }) => isAddress(text));
}

/** Whether a text in a list looks like an address, and cannot be one. */
export function isDamagedAddress(text: string): boolean {
  return [...LISTED.values()].some(({ isDamaged }) => isDamaged(text));
}

/**
 * Checks an address by the rules of its chain's namespace (contract, part 1 "wallet_address") and returns it unchanged: the partner finds
 * in every answer what it sent, and can compare texts. Uses that need one form per address (signing a transfer, comparing) call {@link
 * checksumAddress}.
 *
 * @throws Refusal `invalid_wallet_address`, pointing at `/wallet_address`.
 */
export function checkWalletAddress({ chain, address, refused, fault: onChain = null }: WalletAddressInput): string {
  const chainId = parseChainId(chain);
  const rule = chainId === null ? undefined : RULES.get(chainId.namespace);
  if (chainId === null || rule === undefined) throw invalid("Addresses of this chain's namespace are not supported.");
  const fault = address.length > MAX_LENGTH ? "The address is too long." : rule(address, chainId.reference);
  if (fault !== null) throw invalid(fault);
  if (refused.some((other) => other.toLowerCase() === address.toLowerCase())) {
    throw invalid("The address is a token contract or belongs to the service.");
  }
  if (onChain !== null) throw invalid(onChain);
  return address;
}

/** The EIP-55 form of an EVM address in any case, which other tools ask for. The text must be an EVM address. */
export function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = Buffer.from(keccak_256(Buffer.from(digits, "ascii"))).toString("hex");
  const cased = [...digits].map((digit, index) => (Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit));
  return `0x${cased.join("")}`;
}

function faultOfEvm(address: string): string | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return "The address must be 0x and 40 hex digits.";
  if (/^0x0{40}$/.test(address)) return "The zero address has no owner.";
  const digits = address.slice(2);
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  return isMixed && checksumAddress(address) !== address ? "The capitals of the address do not match its EIP-55 checksum." : null;
}

function faultOfTron(address: string): string | null {
  const bytes = attempt(() => base58check.decode(address));
  if (bytes === null || bytes.length !== 21 || bytes[0] !== 0x41) return "The address must be a Tron address in base 58 with its checksum.";
  return isZero(bytes.subarray(1)) ? "The zero address has no owner." : null;
}

function faultOfBitcoin(address: string, reference: string): string | null {
  const network = BITCOIN_NETWORKS.get(reference);
  if (network === undefined) return "Addresses of this network are not supported.";
  const legacy = attempt(() => base58check.decode(address));
  if (legacy !== null) {
    const isOfNetwork = legacy.length === 21 && network.versions.some((version) => version === legacy[0]);
    return isOfNetwork ? null : "The address is of another Bitcoin network, or of a kind that is not supported.";
  }
  return isWitnessAddress(address, network.prefix) ? null : "The address must be a Bitcoin address of this network with its checksum.";
}

/** BIP-173 and BIP-350: version 0 is bech32 with 20 or 32 bytes, versions 1 to 16 are bech32m with 2 to 40. */
function isWitnessAddress(address: string, prefix: string): boolean {
  for (const [coder, isVersionZero] of [
    [bech32, true],
    [bech32m, false],
  ] as const) {
    const decoded = coder.decodeUnsafe(address);
    const [version, ...words] = decoded?.words ?? [];
    if (decoded?.prefix !== prefix || version === undefined) continue;
    const program = coder.fromWordsUnsafe(words);
    if (!program || (version === 0) !== isVersionZero || version > 16) return false;
    return isVersionZero ? program.length === 20 || program.length === 32 : program.length >= 2 && program.length <= 40;
  }
  return false;
}

function attempt(decode: () => Uint8Array): Uint8Array | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

function invalid(message: string): Refusal {
  return new Refusal("invalid_wallet_address", {
    detail: message,
    errors: [{ pointer: "/wallet_address", code: "invalid_wallet_address", message }],
  });
}
