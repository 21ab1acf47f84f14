/**
 * `npm run create-keystore -- FILE` creates a new key and writes it to FILE, encrypted (Web3 Secret Storage, version 3), for `wallets` of
 * CHAINS. The password is read from KEYSTORE_PASSWORD. An existing file stays as it is. Prints only the key's addresses: `address` on EVM chains
 * and Tempo, `tron` and `solana` in their own forms.
 */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { type Hex, toHex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { tronOfHex } from "#domain/tron-address.ts";
import { sealKeystore } from "#server/adapters/signer/keystore-v3.ts";
import { solanaKey } from "#server/adapters/signer/solana-key.ts";
import { weaknessOfPassword } from "#server/config/weakness.ts";
import { runCommand, sentenceOf } from "./command.ts";

async function main(file: string | undefined, password: string): Promise<number> {
  if (file === undefined) {
    process.stderr.write("Usage: KEYSTORE_PASSWORD=… npm run create-keystore -- FILE\n");
    return 2;
  }
  const weakness = password === "" ? "is missing: the keystore is encrypted with it" : weaknessOfPassword(password);
  if (weakness !== null) throw new Error(`KEYSTORE_PASSWORD ${weakness}.`);
  const key: Hex = toHex(randomBytes(32));
  const address = privateKeyToAddress(key);
  writeFileSync(file, `${JSON.stringify(await sealKeystore(key, address, password), null, 2)}\n`, { mode: 0o600, flag: "wx" });
  const [tron, solana] = [tronOfHex(address), await solanaKey(async () => key).address()];
  process.stdout.write(`${JSON.stringify({ address, tron, solana, file })}\n`);
  return 0;
}

function explain(error: unknown): string {
  const exists = error instanceof Error && "code" in error && error.code === "EEXIST";
  return exists ? "That file is there already, and stays as it is." : sentenceOf(error);
}

await runCommand(() => main(process.argv[2], process.env.KEYSTORE_PASSWORD ?? ""), { explain });
