import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { SignerKind } from "#domain/wallet.ts";

/** A key that signs a hash (secp256k1). What the hash is of, its caller has checked. */
export type TempoKey = { kind: SignerKind; address(): Promise<string>; signHash(hash: Hex): Promise<Hex> };

/** Signs with a key in this process's memory, which is opened once, at first use. */
export function tempoKey(openKey: () => Promise<Hex>, kind: "sandbox" | "keystore" = "sandbox"): TempoKey {
  let opened: Promise<ReturnType<typeof privateKeyToAccount>> | null = null;
  function account() {
    opened ??= openKey().then(privateKeyToAccount);
    opened.catch(() => {
      opened = null;
    });
    return opened;
  }
  return { kind, address: async () => (await account()).address, signHash: async (hash) => (await account()).sign({ hash }) };
}
