import { join } from "node:path";
import { type Address, getAddress, keccak256, toHex } from "viem";
import { writeWhole } from "#sandbox/data-directory.ts";

/** A wallet on the sandbox's own address list: payments to it are held for an admin. Nobody has its key. */
export const NAMED_WALLET: Address = getAddress(`0x${keccak256(toHex("named in the sandbox's address list")).slice(26)}`);

/** Writes the list that a sandbox's recipients are screened by, and answers its file. */
export function writeAddressList(directory: string): string {
  const file = join(directory, "screening.txt");
  writeWhole(
    file,
    `# Addresses that this sandbox holds for an admin. It is read again when it changes; say how many there are.\n# addresses: 1\n${NAMED_WALLET}\n`,
  );
  return file;
}
