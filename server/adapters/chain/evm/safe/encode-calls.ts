import type { Address, Hex } from "viem";
import { concat, encodeFunctionData, getAddress, getContractAddress, keccak256, pad, toHex } from "viem/utils";
import type { EvmIntent } from "#domain/evm-intent.ts";
import { type SafeInfo, type SafePlan, type SafeTransaction, SENTINEL_ADDRESS } from "#domain/safe.ts";
import type { TransferCall } from "#domain/transfer.ts";
import { FACTORY_ABI, SAFE_ABI } from "./abi.ts";
import { creationCodeOf } from "./canonical.ts";

type SwapOrder = { safe: SafeInfo; chainId: number; from: string; to: string };

const CALL = 0;
const ZERO_ADDRESS: Address = "0x0000000000000000000000000000000000000000";
const ZERO_WORD = pad("0x");

/** What deploys a Safe of that plan, and where it will be. */
export async function encodeCreation(plan: SafePlan): Promise<{ call: TransferCall; address: string }> {
  const initializer = setupOf(plan);
  const masterCopy = getAddress(plan.master_copy);
  const factory = getAddress(plan.proxy_factory);
  const salt = keccak256(concat([keccak256(initializer), toHex(plan.saltNonce, { size: 32 })]));
  const bytecode = concat([await creationCodeOf("proxy", plan.version), pad(masterCopy)]);
  const args = [masterCopy, initializer, plan.saltNonce] as const;
  const data = encodeFunctionData({ abi: FACTORY_ABI, functionName: "createProxyWithNonce", args });
  const address = getContractAddress({ opcode: "CREATE2", from: factory, salt, bytecode });
  return { call: { to: factory, valueBase: 0n, data }, address };
}

/** Makes a Safe execute one call. No refund: safeTxGas and gasPrice are 0, so that a failing call reverts the whole transaction. */
export function encodeOrder({ safe, owner, call }: { safe: string; owner: string; call: EvmIntent }): TransferCall {
  return encodeExecution(safe, call, approvalOf(owner));
}

/** Replaces one owner by another; an owner must sign it. A Safe stores its owners as a linked list, so the call names the previous one. */
export function encodeSwap({ safe, chainId, from, to }: SwapOrder): SafeTransaction {
  const owners = [SENTINEL_ADDRESS, ...safe.owners];
  const place = owners.findIndex((owner) => owner.toLowerCase() === from.toLowerCase());
  const before = owners[place - 1];
  if (before === undefined) throw new Error(`${from} is no owner of the Safe ${safe.address}`);
  const args = [address(before), address(from), address(to)] as const;
  const data = encodeFunctionData({ abi: SAFE_ABI, functionName: "swapOwner", args });
  return { chainId, safe: safe.address, nonce: safe.nonce, to: safe.address, data };
}

/** Has the Safe carry out what one owner signed, anyone who sends it. */
export function encodeSigned({ safe, to, data }: SafeTransaction, signature: string): TransferCall {
  return encodeExecution(safe, { to, valueBase: 0n, data }, hex(signature));
}

function encodeExecution(safe: string, call: EvmIntent, signature: Hex): TransferCall {
  if (call.to === null) throw new Error("a Safe's transaction has a recipient");
  const recipient = getAddress(call.to);
  const args = [recipient, call.valueBase, hex(call.data), CALL, 0n, 0n, 0n, ZERO_ADDRESS, ZERO_ADDRESS, signature] as const;
  return { to: getAddress(safe), valueBase: 0n, data: encodeFunctionData({ abi: SAFE_ABI, functionName: "execTransaction", args }) };
}

function setupOf({ owners, threshold, fallback_handler: handler }: SafePlan): Hex {
  const args = [owners.map(address), BigInt(threshold), ZERO_ADDRESS, "0x", getAddress(handler), ZERO_ADDRESS, 0n, ZERO_ADDRESS] as const;
  return encodeFunctionData({ abi: SAFE_ABI, functionName: "setup", args });
}

/**
 * A signature of the kind v = 1: it is valid because the owner sends the transaction itself, whatever the Safe's nonce, so that no sweep
 * depends on another.
 */
function approvalOf(owner: string): Hex {
  return concat([pad(getAddress(owner)), ZERO_WORD, "0x01"]);
}

function address(text: string): Address {
  return getAddress(text);
}

function hex(text: string): Hex {
  return `0x${text.replace(/^0x/, "")}`;
}
