import type { Hex } from "viem";
import type { EvmTransaction } from "#server/ports.ts";

/** A transaction in viem's form. */
export function eip1559(unsigned: EvmTransaction) {
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
