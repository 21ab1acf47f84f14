import type { Hex } from "viem";
import type { SafeTransaction } from "#domain/safe.ts";

const ZERO_ADDRESS: Hex = "0x0000000000000000000000000000000000000000";
const SAFE_TX = [
  { name: "to", type: "address" } as const,
  { name: "value", type: "uint256" } as const,
  { name: "data", type: "bytes" } as const,
  { name: "operation", type: "uint8" } as const,
  { name: "safeTxGas", type: "uint256" } as const,
  { name: "baseGas", type: "uint256" } as const,
  { name: "gasPrice", type: "uint256" } as const,
  { name: "gasToken", type: "address" } as const,
  { name: "refundReceiver", type: "address" } as const,
  { name: "nonce", type: "uint256" } as const,
] as const;

/** A Safe's transaction as its owners sign it: a plain call without value or refund. The same in 1.3.0 and 1.4.1. */
export function safeTypedData({ chainId, safe, nonce, to, data }: SafeTransaction) {
  return {
    domain: { chainId, verifyingContract: hex(safe) },
    types: { SafeTx: SAFE_TX },
    primaryType: "SafeTx" as const,
    message: {
      to: hex(to),
      value: 0n,
      data: hex(data),
      operation: 0,
      safeTxGas: 0n,
      baseGas: 0n,
      gasPrice: 0n,
      gasToken: ZERO_ADDRESS,
      refundReceiver: ZERO_ADDRESS,
      nonce: BigInt(nonce),
    },
  };
}

function hex(text: string): Hex {
  return `0x${text.replace(/^0x/, "")}`;
}
