import { keccak_256 } from "@noble/hashes/sha3.js";
import artifact from "./packed-transfers.json" with { type: "json" };

/**
 * The packing contract: its source is `PackedTransfers.sol`. Nobody owns it and it keeps nothing, so that one serves all wallets of a chain.
 * A deployer that exists on nearly every chain puts it at the same address everywhere, no matter who pays for that.
 */
export const PACKING_CONTRACT = { address: artifact.address, creationCode: artifact.creationCode };

/** Whether a contract's code is the audited one. Anything else at its address could keep what it is trusted with. */
export function isPackingContract(code: string): boolean {
  return `0x${Buffer.from(keccak_256(Buffer.from(code.slice(2), "hex"))).toString("hex")}` === artifact.codeHash;
}
