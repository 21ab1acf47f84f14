import { recoverAddress } from "viem/utils";
import type { UnsignedPayment } from "#domain/lapsing-chain.ts";
import { tronOfHex } from "#domain/tron-address.ts";
import { Rejected } from "#server/ports.ts";
import { decodeRaw, decodeSigned, idOf, type TronTransfer } from "./transaction.ts";

/**
 * Whether signed bytes are exactly the bytes that were to be signed, those bytes pay exactly the intent, and the sender's key signed them.
 * Bytes come from a node and from a signer: a field that either changed must never reach the network.
 *
 * @returns the transaction's id. @throws Rejected
 */
export async function checkSigned(signed: string, unsigned: UnsignedPayment): Promise<string> {
  const { raw, signature } = attempt(() => decodeSigned(signed), "the signer answered with bytes that are no signed transaction");
  if (Buffer.from(raw).toString("hex") !== unsigned.bytes)
    throw new Rejected("the signer answered with other bytes than it was asked to sign");
  checkUnsigned(unsigned);
  const id = idOf(raw);
  const signer = await signerOf(id, signature);
  if (signer !== unsigned.intent.sender) throw new Rejected("the signer answered with another sender than it was asked to sign");
  return id;
}

/** Whether the bytes pay the intent, lapse when they should and cost no more than they should. @throws Rejected */
export function checkUnsigned({ bytes, intent, expiry, feeAtMost }: UnsignedPayment): TronTransfer {
  const transfer = attempt(() => decodeRaw(Buffer.from(bytes, "hex")), "the bytes to sign are no plain transfer of a token");
  const compared: [string, unknown, unknown][] = [
    // One transaction makes one payment.
    ["number of payments", 1, intent.members?.length ?? 1],
    ["sender", transfer.owner, intent.sender],
    ["token", transfer.token, intent.token],
    ["recipient", transfer.recipient, intent.recipient],
    ["amount", transfer.amountBase, intent.amountBase],
    ["memo", transfer.memo, intent.reference],
    ["expiration", transfer.expiration, expiry.by === "time" ? expiry.last.getTime() : null],
    ["fee", transfer.feeLimitSun <= feeAtMost.amountBase && feeAtMost.token === null, true],
  ];
  for (const [field, got, wanted] of compared) {
    if (got !== wanted) throw new Rejected(`the bytes to sign have another ${field} than they should`);
  }
  return transfer;
}

async function signerOf(id: string, signature: Uint8Array): Promise<string | null> {
  if (signature.length !== 65) return null;
  const hex = Buffer.from(signature).toString("hex");
  // Tron's nodes take the recovery bit as 0 and 1, and as 27 and 28.
  const yParity = (signature[64] ?? 0) % 27;
  if (yParity > 1) return null;
  const recovered = await recoverAddress({
    hash: `0x${id}`,
    signature: { r: `0x${hex.slice(0, 64)}`, s: `0x${hex.slice(64, 128)}`, yParity },
  }).catch(() => null);
  return recovered && tronOfHex(recovered);
}

function attempt<T>(read: () => T, fault: string): T {
  try {
    return read();
  } catch (error) {
    throw new Rejected(fault, { cause: error });
  }
}
