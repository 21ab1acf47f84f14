import { createHash } from "node:crypto";
import {
  AccountRole,
  type Address,
  createKeyPairSignerFromPrivateKeyBytes,
  getAddressEncoder,
  type Instruction,
  type KeyPairSigner,
} from "@solana/kit";
import { SOLANA_PROGRAMS } from "#domain/solana-address.ts";

/** A mint of the local cluster. `extensions`: of Token-2022, initialised before the mint. */
export type TestMint = {
  name: string;
  decimals: number;
  isFreezable: boolean;
  program: "token" | "token2022";
  extensions: readonly Extension[];
};
export type Extension =
  | "transfer-fee"
  | "transfer-fee-zero"
  | "non-transferable"
  | "permanent-delegate"
  | "transfer-hook"
  | "frozen-by-default";

/** USDC and USDT as on the main cluster: of SPL Token, six decimals, freezable. The others are for tests. */
export const TEST_MINTS: readonly TestMint[] = [
  { name: "USDC", decimals: 6, isFreezable: true, program: "token", extensions: [] },
  { name: "USDT", decimals: 6, isFreezable: true, program: "token", extensions: [] },
  { name: "FREE", decimals: 6, isFreezable: false, program: "token", extensions: [] },
  { name: "PLAIN22", decimals: 9, isFreezable: false, program: "token2022", extensions: [] },
  { name: "FEE", decimals: 6, isFreezable: false, program: "token2022", extensions: ["transfer-fee"] },
  { name: "FEE0", decimals: 6, isFreezable: false, program: "token2022", extensions: ["transfer-fee-zero"] },
  { name: "SOUL", decimals: 0, isFreezable: false, program: "token2022", extensions: ["non-transferable"] },
  { name: "DELEGATE", decimals: 6, isFreezable: false, program: "token2022", extensions: ["permanent-delegate"] },
  { name: "HOOK", decimals: 6, isFreezable: false, program: "token2022", extensions: ["transfer-hook"] },
  { name: "ICE", decimals: 6, isFreezable: true, program: "token2022", extensions: ["frozen-by-default"] },
];

const MINT_BYTES = 82;
/** A mint with extensions: padded to a token account's length, then its kind. */
const BASE_BYTES = 166;
/** Of an extension's data, without its four bytes of type and length. */
const EXTENSION_BYTES: Record<Extension, number> = {
  "transfer-fee": 108,
  "transfer-fee-zero": 108,
  "non-transferable": 0,
  "permanent-delegate": 32,
  "transfer-hook": 64,
  "frozen-by-default": 1,
};

/** A key of the local cluster, the same at every start. NOTHING REAL may ever belong to it. */
export async function testKey(name: string): Promise<KeyPairSigner> {
  return await createKeyPairSignerFromPrivateKeyBytes(createHash("sha256").update(`settlement sandbox ${name}`).digest());
}

/** The mint's address, the same at every start. */
export async function addressOfMint(name: string): Promise<Address> {
  return (await testKey(`mint ${name}`)).address;
}

/** How many bytes the mint's account has. */
export function bytesOfMint({ program, extensions }: TestMint): number {
  if (program === "token" || extensions.length === 0) return MINT_BYTES;
  return extensions.reduce((sum, extension) => sum + 4 + EXTENSION_BYTES[extension], BASE_BYTES);
}

/** What creates a mint whose authority is `authority`, in the account `mint` that `payer` pays for. */
export function createMint(of: TestMint, { mint, authority, rent }: { mint: Address; authority: Address; rent: number }): Instruction[] {
  const programAddress = SOLANA_PROGRAMS[of.program] as Address;
  const on = (data: readonly number[]): Instruction => ({
    programAddress,
    accounts: [{ address: mint, role: AccountRole.WRITABLE }],
    data: Uint8Array.from(data),
  });
  const key = [...getAddressEncoder().encode(authority)];
  const create: Instruction = {
    programAddress: SOLANA_PROGRAMS.system as Address,
    accounts: [
      { address: authority, role: AccountRole.WRITABLE_SIGNER },
      { address: mint, role: AccountRole.WRITABLE_SIGNER },
    ],
    data: Uint8Array.from([
      ...little(0, 4),
      ...little(rent, 8),
      ...little(bytesOfMint(of), 8),
      ...getAddressEncoder().encode(programAddress),
    ]),
  };
  const extensions = of.extensions.map((extension) => on(initialise(extension, key)));
  const freeze = of.isFreezable ? [1, ...key] : [0];
  return [create, ...extensions, on([20, of.decimals, ...key, ...freeze])];
}

function initialise(extension: Extension, authority: readonly number[]): number[] {
  const some = [1, ...authority];
  switch (extension) {
    case "transfer-fee":
      return [26, 0, ...some, ...some, ...little(100, 2), ...little(1_000_000, 8)];
    case "transfer-fee-zero":
      return [26, 0, ...some, ...some, ...little(0, 2), ...little(0, 8)];
    case "non-transferable":
      return [32];
    case "permanent-delegate":
      return [35, ...authority];
    case "transfer-hook":
      return [36, 0, ...authority, ...getAddressEncoder().encode(SOLANA_PROGRAMS.memo as Address)];
    case "frozen-by-default":
      return [28, 0, 2];
  }
}

/** An integer, lowest byte first. */
export function little(value: number | bigint, size: number): number[] {
  return Array.from({ length: size }, (_, at) => Number((BigInt(value) >> BigInt(8 * at)) & 0xffn));
}
