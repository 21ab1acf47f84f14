import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { LapsingKey } from "#server/ports.ts";

/** Signs a payment's bytes on Tempo with a key (secp256k1) in this process's memory, which is opened once, at first use. */
export function tempoKey(openKey: () => Promise<Hex>, kind: "sandbox" | "keystore" = "sandbox"): LapsingKey {
  let opened: Promise<ReturnType<typeof privateKeyToAccount>> | null = null;
  function account() {
    opened ??= openKey().then(privateKeyToAccount);
    opened.catch(() => {
      opened = null;
    });
    return opened;
  }
  return {
    kind,
    address: async () => (await account()).address,
    async sign(bytes) {
      // What makes Tempo's bytes is large, and most signers have no wallet there.
      const { hashToSign, withSignature } = await import("#server/adapters/chain/tempo/payment-bytes.ts");
      return await withSignature(bytes, await (await account()).sign({ hash: hashToSign(bytes) }));
    },
  };
}
