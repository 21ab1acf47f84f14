import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Signer } from "#server/ports.ts";
import { eip1559 } from "./eip1559.ts";
import { safeTypedData } from "./safe-typed-data.ts";

/** Signs with a key in this process's memory, which is opened once, at first use. */
export function localKeySigner(openKey: () => Promise<Hex>, kind: "sandbox" | "keystore" = "sandbox"): Signer {
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
    isOurs: true,
    address: async () => (await account()).address,
    signTransaction: async (unsigned) => (await account()).signTransaction(eip1559(unsigned)),
    signSafeTransaction: async (transaction) => (await account()).signTypedData(safeTypedData(transaction)),
  };
}
