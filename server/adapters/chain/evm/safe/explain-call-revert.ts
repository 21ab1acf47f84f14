import { decodeFunctionData, isHex, numberToHex, toFunctionSelector } from "viem/utils";
import type { EvmIntent } from "#domain/evm-intent.ts";
import { explainRevert, PAUSED, revertWords } from "#server/adapters/chain/evm/revert-reason.ts";
import { isRevert, type JsonRpc, RpcFault } from "#server/adapters/chain/json-rpc.ts";
import type { EvmRevert } from "#server/ports.ts";
import { SAFE_ABI } from "./abi.ts";

const EXECUTE = toFunctionSelector("execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)");
/** The Safe's own error for "the inner call failed"; its signature checks all begin with GS02. */
const INNER_CALL_FAILED = "GS013";
const SIGNATURE_REFUSED = /\bGS02\d\b/;

/**
 * Why a contract call was reverted, in plain words. A Safe does not report why its inner call failed, so that call is simulated again in
 * its name. A missing balance of the Safe is a fact about the call; an issuer's pause is not.
 */
export async function explainCallRevert(rpc: JsonRpc, intent: EvmIntent, fault: RpcFault, at: string): Promise<EvmRevert> {
  const words = revertWords(fault);
  const order = intent.data.startsWith(EXECUTE) && intent.to !== null ? readOrder(intent.to, intent.data) : null;
  if (order === null) return fact(`The contract refused the call${words === "" ? "" : `: "${words}"`}.`);
  if (words.includes(INNER_CALL_FAILED)) return await explainInnerCall(rpc, order, at);
  if (SIGNATURE_REFUSED.test(words)) return fact("The Safe does not obey the service's key.");
  return fact(`The Safe refused the transaction${words === "" ? "" : `: "${words}"`}.`);
}

type Order = { safe: string; to: string; valueBase: bigint; data: string };

function readOrder(safe: string, data: string): Order | null {
  if (!isHex(data)) return null;
  const { functionName, args } = decodeFunctionData({ abi: SAFE_ABI, data });
  if (functionName !== "execTransaction") return null;
  const [to, valueBase, inner] = args;
  return { safe, to, valueBase, data: inner };
}

async function explainInnerCall(rpc: JsonRpc, { safe, to, valueBase, data }: Order, at: string): Promise<EvmRevert> {
  try {
    await rpc.call("eth_call", [{ from: safe, to, value: numberToHex(valueBase), data }, at]);
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    if (!isRevert(error)) return fact("The Safe holds too little for the transfer.");
    const revert = explainRevert(error, safe);
    if (!revert.treasury || revert === PAUSED) return revert;
    return fact(revert.blocked ? "The token's blocklist refuses the Safe." : "The Safe holds too little of the token.");
  }
  return fact("The Safe could not carry out the transfer.");
}

function fact(reason: string): EvmRevert {
  return { reason, treasury: false };
}
