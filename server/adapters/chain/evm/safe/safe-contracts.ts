import {
  type Address,
  concat,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  type Hex,
  keccak256,
  pad,
  toHex,
  zeroAddress,
  zeroHash,
} from "viem";
import type { SafePlan } from "#domain/safe.ts";
import type { SafeContracts } from "#server/ports.ts";
import { FACTORY_ABI, SAFE_ABI } from "./abi.ts";
import { creationCodeOf, homesOf, recognise } from "./canonical.ts";

const CALL = 0;

/** The Safe contracts' language, in viem's words. */
export const safeContracts: SafeContracts = {
  recognise,
  homes: homesOf,
  async deploy(contract, version, deployer) {
    const creation = await creationCodeOf(contract, version);
    if (deployer === null) return { to: null, valueBase: 0n, data: creation };
    return { to: deployer, valueBase: 0n, data: concat([zeroHash, creation]) };
  },
  async createSafe(plan) {
    const initializer = setupOf(plan);
    const masterCopy = getAddress(plan.master_copy);
    const factory = getAddress(plan.proxy_factory);
    const salt = keccak256(concat([keccak256(initializer), toHex(plan.saltNonce, { size: 32 })]));
    const bytecode = concat([await creationCodeOf("proxy", plan.version), pad(masterCopy)]);
    const args = [masterCopy, initializer, plan.saltNonce] as const;
    const data = encodeFunctionData({ abi: FACTORY_ABI, functionName: "createProxyWithNonce", args });
    const address = getContractAddress({ opcode: "CREATE2", from: factory, salt, bytecode });
    return { call: { to: factory, valueBase: 0n, data }, address };
  },
  execute({ safe, owner, call }) {
    if (call.to === null) throw new Error("a Safe's transaction has a recipient");
    // No refund: safeTxGas and gasPrice are 0, so that a call that fails reverts the whole transaction.
    const args = [
      getAddress(call.to),
      call.valueBase,
      hex(call.data),
      CALL,
      0n,
      0n,
      0n,
      zeroAddress,
      zeroAddress,
      approvalOf(owner),
    ] as const;
    return { to: getAddress(safe), valueBase: 0n, data: encodeFunctionData({ abi: SAFE_ABI, functionName: "execTransaction", args }) };
  },
};

function setupOf({ owners, threshold, fallback_handler: handler }: SafePlan): Hex {
  const args = [owners.map(address), BigInt(threshold), zeroAddress, "0x", getAddress(handler), zeroAddress, 0n, zeroAddress] as const;
  return encodeFunctionData({ abi: SAFE_ABI, functionName: "setup", args });
}

/**
 * A signature of the kind that needs none (v = 1): it holds for the owner that sends the transaction itself, whatever the Safe's
 * nonce, so that one sweep never depends on what became of another.
 */
function approvalOf(owner: string): Hex {
  return concat([pad(getAddress(owner)), zeroHash, "0x01"]);
}

function address(text: string): Address {
  return getAddress(text);
}

function hex(text: string): Hex {
  return `0x${text.replace(/^0x/, "")}`;
}
