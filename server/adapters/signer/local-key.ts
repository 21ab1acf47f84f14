import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { EvmTransaction, Signer } from "#server/ports.ts";

/** Signs with a key that this process holds in memory. The key is opened at first use, once. */
export function localKeySigner(openKey: () => Promise<Hex>): Signer {
  let opened: Promise<ReturnType<typeof privateKeyToAccount>> | null = null;
  function account() {
    opened ??= openKey().then(privateKeyToAccount);
    opened.catch(() => {
      opened = null;
    });
    return opened;
  }
  return {
    isOurs: true,
    address: async () => (await account()).address,
    signTransaction: async (unsigned) => (await account()).signTransaction(eip1559(unsigned)),
  };
}

function eip1559(unsigned: EvmTransaction) {
  return {
    type: "eip1559" as const,
    chainId: unsigned.chainId,
    nonce: unsigned.nonce,
    to: hex(unsigned.to),
    value: unsigned.valueBase,
    data: hex(unsigned.data) ?? "0x",
    gas: unsigned.gasLimit,
    maxFeePerGas: unsigned.maxFeePerGas,
    maxPriorityFeePerGas: unsigned.maxPriorityFeePerGas,
  };
}

function hex(text: string | null): Hex | null {
  return text === null ? null : `0x${text.replace(/^0x/, "")}`;
}
