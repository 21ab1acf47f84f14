import { readFile } from "node:fs/promises";
import type { Signer, SigningKeys } from "#server/ports.ts";
import { type AwsKmsSettings, awsKmsSigner } from "./aws-kms/aws-kms.ts";
import { readOrMakeKey } from "./key-file.ts";
import { openKeystore } from "./keystore-v3.ts";
import { localKeySigner } from "./local-key.ts";
import { type Pkcs11Settings, tokenSigners } from "./pkcs11/pkcs11.ts";
import { type RemoteSettings, remoteSigner } from "./remote.ts";

/** Who signs for a treasury wallet, as the configuration says. Live mode refuses `sandbox`. */
export type SignerSettings =
  | { signer: "sandbox"; keyFile: string }
  | { signer: "keystore"; file: string; password: string }
  | ({ signer: "remote" } & RemoteSettings)
  | ({ signer: "pkcs11" } & Pkcs11Settings)
  | ({ signer: "aws-kms" } & AwsKmsSettings);

/** The treasury's signers, by chain. Nothing is read, loaded or asked before a signer's first use. */
export function openSigners(chains: readonly { chain: string; wallets: readonly SignerSettings[] }[]): SigningKeys {
  const inToken = tokenSigners();
  const byChain = new Map(chains.map(({ chain, wallets }) => [chain, wallets.map((wallet) => openSigner(wallet, inToken))]));
  return { of: (chain) => byChain.get(chain) ?? [] };
}

function openSigner(settings: SignerSettings, inToken: ReturnType<typeof tokenSigners>): Signer {
  switch (settings.signer) {
    case "sandbox":
      return localKeySigner(() => readOrMakeKey(settings.keyFile));
    case "keystore":
      return localKeySigner(async () => openKeystore(await readFile(settings.file, "utf8"), settings.password), "keystore");
    case "remote":
      return remoteSigner(settings);
    case "pkcs11":
      return inToken(settings);
    case "aws-kms":
      return awsKmsSigner(settings);
  }
}
