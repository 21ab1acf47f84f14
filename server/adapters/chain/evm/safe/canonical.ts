import { keccak_256 } from "@noble/hashes/sha3.js";
import { z } from "zod";
import { type CanonicalCode, SAFE_CONTRACTS, SAFE_VERSIONS, type SafeContract, type SafeVersion } from "#domain/safe.ts";
import { Rejected } from "#server/ports.ts";

/** Everything of a release whose code is known: `master_copy_l2` logs more than `master_copy`, and is never deployed by us. */
const CANONICAL_NAMES = [...SAFE_CONTRACTS, "master_copy_l2", "proxy"] as const;
export type CanonicalName = (typeof CANONICAL_NAMES)[number];

/**
 * keccak256 of the code on the chain. None of these contracts has an immutable, so the code is the same on every chain and for every
 * deployer, and its hash proves it. The constants are those that the makers publish.
 */
const CODE_HASHES: Record<SafeVersion, Record<CanonicalName, string>> = {
  "1.3.0": {
    master_copy: "0xbba688fbdb21ad2bb58bc320638b43d94e7d100f6f3ebaab0a4e4de6304b1c2e",
    master_copy_l2: "0x21842597390c4c6e3c1239e434a682b054bd9548eee5e9b1d6a4482731023c0f",
    proxy_factory: "0x337d7f54be11b6ed55fef7b667ea5488db53db8320a05d1146aa4bd169a39a9b",
    fallback_handler: "0x03e69f7ce809e81687c69b19a7d7cca45b6d551ffdec73d9bb87178476de1abf",
    proxy: "0xb89c1b3bdf2cf8827818646bce9a8f6e372885f8c55e5c07acbd307cb133b000",
  },
  "1.4.1": {
    master_copy: "0x1fe2df852ba3299d6534ef416eefa406e56ced995bca886ab7a553e6d0c5e1c4",
    master_copy_l2: "0xb1f926978a0f44a2c0ec8fe822418ae969bd8c3f18d61e5103100339894f81ff",
    proxy_factory: "0x50c3cdc4074750a7a974204a716c999edd37482f907608d960b2b025ee0b3317",
    fallback_handler: "0x7c6007a5d711cea8dfd5d91f5940ec29c7f200fe511eb1fc1397b367af3c42f9",
    proxy: "0xd7d408ebcd99b2b70be43e20253d6d92a8ea8fab29bd3be7f55b10032331fb4c",
  },
};

/** Contracts that deploy any code, at an address that depends only on that code; each exists on many chains. */
const DEPLOYERS = ["0x4e59b44847b379578588920cA78FbF26c0B4956C", "0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7"] as const;

/**
 * The addresses from those deployers, in order of preference. On most chains somebody has deployed them already; each pair is computable.
 */
const HOMES: Record<SafeVersion, Record<SafeContract, readonly [string, string]>> = {
  "1.3.0": {
    master_copy: ["0xd9Db270c1B5E3Bd161E8c8503c55cEABeE709552", "0x69f4D1788e39c87893C980c06EdF4b7f686e2938"],
    proxy_factory: ["0xa6B71E26C5e0845f74c812102Ca7114b6a896AB2", "0xC22834581EbC8527d974F8a1c97E1bEA4EF910BC"],
    fallback_handler: ["0xf48f2B2d2a534e402487b3ee7C18c33Aec0Fe5e4", "0x017062a1dE2FE6b99BE3d9d37841FeD19F573804"],
  },
  "1.4.1": {
    master_copy: ["0x639245e8476E03e789a244f279b5843b9633b2E7", "0x41675C099F32341bf84BFc5382aF534df5C7461a"],
    proxy_factory: ["0xd9d2Ba03a7754250FDD71333F444636471CACBC4", "0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67"],
    fallback_handler: ["0xcB4a8d3609A7CCa2D9c063a742f75c899BF2f7b5", "0xfd0732Dc9E303f09fCEf3a7388Ad10A83459Ec99"],
  },
};

const NOBODY = `0x${"0".repeat(40)}`;

/** The canonical address of the contract, and the transaction that would deploy it there. */
export function homesOf(contract: SafeContract, version: SafeVersion): { deployer: string; address: string }[] {
  return HOMES[version][contract].map((address, index) => ({ deployer: DEPLOYERS[index] ?? NOBODY, address }));
}

export function codeHashOf(name: CanonicalName, version: SafeVersion): string {
  return CODE_HASHES[version][name];
}

/** Which canonical contract a code is; null when it is none. */
export function recognise(code: string): CanonicalCode | null {
  if (code === "0x") return null;
  const hash = `0x${Buffer.from(keccak_256(Buffer.from(code.slice(2), "hex"))).toString("hex")}`;
  for (const version of SAFE_VERSIONS) {
    const name = CANONICAL_NAMES.find((known) => CODE_HASHES[version][known] === hash);
    if (name) return { version, contract: name === "master_copy_l2" ? "master_copy" : name };
  }
  return null;
}

const creation = z.object({ creationCode: z.templateLiteral(["0x", z.string().regex(/^[0-9a-f]+$/)]) });
const Artifacts = z.object({ master_copy: creation, proxy_factory: creation, fallback_handler: creation, proxy: creation });

/** The creation code that leaves the canonical code on a chain. Read at first use: only who deploys needs it. */
export async function creationCodeOf(name: SafeContract | "proxy", version: SafeVersion): Promise<`0x${string}`> {
  const artifacts = Artifacts.safeParse(await readArtifacts(version));
  if (!artifacts.success) throw new Rejected(`the artifacts of the Safe contracts ${version} are damaged`);
  return artifacts.data[name].creationCode;
}

async function readArtifacts(version: SafeVersion): Promise<unknown> {
  const options = { with: { type: "json" } } as const;
  if (version === "1.3.0") return (await import("#server/adapters/chain/evm/safe/artifacts/safe-1.3.0.json", options)).default;
  return (await import("#server/adapters/chain/evm/safe/artifacts/safe-1.4.1.json", options)).default;
}
