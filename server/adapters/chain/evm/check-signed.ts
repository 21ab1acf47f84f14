import type { Hex } from "viem";
import { isHex, keccak256, parseTransaction } from "viem/utils";
import { type EvmTransaction, Rejected } from "#server/ports.ts";

/**
 * Whether signed bytes are exactly the requested transaction, signed by the right wallet. A signer is another machine: a field that it
 * changed (a recipient, an amount, another chain) must never reach the network.
 *
 * @returns the transaction's hash. @throws Rejected
 */
export async function checkSigned(raw: string, unsigned: EvmTransaction, sender: string | null): Promise<string> {
  const bytes = serialized(raw);
  let signed: ReturnType<typeof parseTransaction<Hex>>;
  let signer: string | undefined;
  try {
    signed = parseTransaction(bytes);
    // All of viem, which a process with its own keys does not need.
    if (sender !== null) signer = await (await import("viem")).recoverTransactionAddress({ serializedTransaction: bytes });
  } catch (error) {
    throw new Rejected("the signer answered with bytes that are no signed transaction", { cause: error });
  }
  const compared: [string, unknown, unknown][] = [
    ["sender", signer?.toLowerCase(), sender?.toLowerCase()],
    ["chain id", signed.chainId, unsigned.chainId],
    ["nonce", signed.nonce ?? 0, unsigned.nonce],
    ["recipient", (signed.to ?? "").toLowerCase(), (unsigned.to ?? "").toLowerCase()],
    ["value", signed.value ?? 0n, unsigned.valueBase],
    ["data", (signed.data ?? "0x").toLowerCase(), unsigned.data.toLowerCase()],
    ["gas limit", signed.gas ?? 0n, unsigned.gasLimit],
    ["fee", signed.maxFeePerGas ?? 0n, unsigned.maxFeePerGas],
    ["tip", signed.maxPriorityFeePerGas ?? 0n, unsigned.maxPriorityFeePerGas],
    ["access list", signed.accessList?.length ?? 0, 0],
  ];
  for (const [field, got, wanted] of compared) {
    if (got !== wanted) throw new Rejected(`the signer answered with another ${field} than it was asked to sign`);
  }
  return keccak256(bytes);
}

/** The hash of signed bytes. */
export function hashOf(raw: string): string {
  return keccak256(serialized(raw));
}

function serialized(raw: string): `0x02${string}` {
  if (!isHex(raw) || !isType2(raw)) throw new Rejected("the signer answered with something that is no EIP-1559 transaction");
  return raw;
}

function isType2(raw: Hex): raw is `0x02${string}` {
  return raw.startsWith("0x02");
}
