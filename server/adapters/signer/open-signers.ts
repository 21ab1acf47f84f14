import { readFile } from "node:fs/promises";
import type { Signer, Signers } from "#server/ports.ts";
import { readOrMakeKey } from "./key-file.ts";
import { openKeystore } from "./keystore-v3.ts";
import { localKeySigner } from "./local-key.ts";
import { remoteSigner } from "./remote.ts";

/** Who signs for a treasury wallet, as the configuration says. Live mode refuses `sandbox`. */
export type SignerSettings =
  | { signer: "sandbox"; keyFile: string }
  | { signer: "keystore"; file: string; password: string }
  | { signer: "remote"; url: string; address: string };

/** The treasury's signers, by chain. Nothing is read or asked before a signer's first use. */
export function openSigners(chains: readonly { chain: string; wallets: readonly SignerSettings[] }[]): Signers {
  const byChain = new Map(chains.map(({ chain, wallets }) => [chain, wallets.map(openSigner)]));
  return { of: (chain) => byChain.get(chain) ?? [] };
}

export function openSigner(settings: SignerSettings): Signer {
  switch (settings.signer) {
    case "sandbox":
      return localKeySigner(() => readOrMakeKey(settings.keyFile));
    case "keystore":
      return localKeySigner(async () => openKeystore(await readFile(settings.file, "utf8"), settings.password));
    case "remote":
      return remoteSigner(settings);
  }
}
